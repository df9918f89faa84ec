import type { Events } from '#kernel/events'
import type { HttpServer, InterfaceDefinition } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import type { Cluster } from '../cluster.ts'
import type { ControlFor } from '../control/control.ts'
import { controlOwnCluster } from '../control/own-control.ts'
import { addEventRoutes } from '../routes/events.ts'
import { addNodeRoutes } from '../routes/nodes.ts'
import { addOperatorRoutes } from '../routes/operator.ts'
import { addStrategyRoutes } from '../routes/strategy.ts'
import { platformClusterInterface } from './interface.ts'
import { recordOperations } from './operator-events.ts'
import { controlRemoteCluster } from './remote-control.ts'

interface ClusterDeskOptions {
  /** The cluster of this process; absent when the service runs elsewhere. */
  readonly cluster: Cluster | undefined
  /** Where the service is then found, and the key it wants to be shown. */
  readonly elsewhere: { readonly url: string; readonly apiKey: string | undefined }
  readonly events: Pick<Events, 'append'>
  readonly log: Logger
  /** How long a service elsewhere may take to answer. */
  readonly timeoutMs?: number
}

/** Where accounts of the platform watch over the cluster, wherever it runs. */
export interface ClusterDesk extends AsyncDisposable {
  readonly interface: InterfaceDefinition
  readonly addRoutes: (routes: HttpServer) => void
}

const access = {
  read: { permission: ['administer llm', 'administer cluster'] },
  operate: { permission: 'administer cluster' },
} as const

export function createClusterDesk(options: ClusterDeskOptions): ClusterDesk {
  const { cluster, elsewhere, events, log, timeoutMs } = options
  const control =
    cluster === undefined
      ? controlRemoteCluster({ ...elsewhere, log, ...(timeoutMs !== undefined && { timeoutMs }) })
      : // Whoever started the cluster stops it.
        { ...controlOwnCluster(cluster), async [Symbol.asyncDispose]() {} }
  const controlFor: ControlFor = (request) => recordOperations(control, { events, log, request })
  return {
    interface: platformClusterInterface,
    addRoutes(routes) {
      addNodeRoutes(routes, { controlFor, access })
      addOperatorRoutes(routes, { controlFor, access })
      addStrategyRoutes(routes, { controlFor, access })
      addEventRoutes(routes, { controlFor, access })
    },
    [Symbol.asyncDispose]: () => control[Symbol.asyncDispose](),
  }
}
