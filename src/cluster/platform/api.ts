import { Type } from 'typebox'
import type { Events } from '#kernel/events'
import { type ApiDefinition, type HttpServer, plainErrorFormat } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import { clusterApi } from '../api.ts'
import type { Cluster } from '../cluster.ts'
import type { ControlFor } from '../control/control.ts'
import { controlOwnCluster } from '../control/own-control.ts'
import { addEventRoutes } from '../routes/events.ts'
import { addNodeRoutes } from '../routes/nodes.ts'
import { addOperatorRoutes } from '../routes/operator.ts'
import { addStrategyRoutes } from '../routes/strategy.ts'
import { recordOperations } from './operator-events.ts'
import { controlRemoteCluster } from './remote-control.ts'

interface ClusterApiOptions {
  /** The cluster of this process; absent when the service runs in another one. */
  readonly cluster: Cluster | undefined
  /** Address and API key of a service in another process. */
  readonly elsewhere: { readonly url: string; readonly apiKey: string | undefined }
  readonly events: Pick<Events, 'append'>
  readonly log: Logger
  /** Timeout of requests to a service in another process. */
  readonly timeoutMs?: number
}

/** The cluster API on the platform, for a cluster in this or another process. */
export interface ClusterApi extends AsyncDisposable {
  readonly api: ApiDefinition
  readonly addRoutes: (routes: HttpServer) => void
}

const access = {
  read: { permission: ['administer llm', 'administer cluster'] },
  operate: { permission: 'administer cluster' },
} as const

/** Creates the cluster API of the platform, for the cluster of this process or a remote cluster service. */
export function createClusterApi(options: ClusterApiOptions): ClusterApi {
  const { cluster, elsewhere, events, log, timeoutMs } = options
  const remote = controlRemoteCluster({ ...elsewhere, log, ...(timeoutMs !== undefined && { timeoutMs }) })
  const controlFor: ControlFor = (request) => {
    const by = request.principal.id
    const control = cluster === undefined ? remote.as(by) : controlOwnCluster(cluster, by)
    return recordOperations(control, { events, log, request })
  }
  return {
    api: platformClusterApi,
    addRoutes(routes) {
      addNodeRoutes(routes, { controlFor, access })
      addOperatorRoutes(routes, { controlFor, access })
      addStrategyRoutes(routes, { controlFor, access })
      addEventRoutes(routes, { controlFor, access })
    },
    [Symbol.asyncDispose]: () => remote[Symbol.asyncDispose](),
  }
}

/**
 * The cluster API on the platform's own server, with the paths and responses of the service. Errors have the fields of
 * both the service and the platform.
 */
const platformClusterApi: ApiDefinition = {
  ...clusterApi,
  description:
    'The model nodes, for those who watch over them: which there are, how they are, and changing them.',
  prefixes: ['/api/cluster'],
  errorBody({ code, message, details, problems, requestId }) {
    const listed = problems.length > 0 && { problems }
    return { error: { code, message, details: { ...details, ...listed }, ...listed, request_id: requestId } }
  },
  errorSchema: Type.Object({
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Object({}, { additionalProperties: true }),
      problems: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String(), code: Type.String() })),
      ),
      request_id: Type.String(),
    }),
  }),
  errorCodes: plainErrorFormat.errorCodes,
}
