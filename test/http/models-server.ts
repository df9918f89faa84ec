import type { Cluster } from '#cluster'
import { readSettings } from '#kernel/config'
import { closeHttpServer, createHttpServer, nobody, registerInterface } from '#kernel/http'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { createModels, modelsSettings } from '#models'
import { platformInterface } from '../../src/app/platform-interface/interface.ts'

export interface ListedModel {
  readonly id: string
  readonly object: string
  readonly created: number | null
  readonly owned_by: string
  readonly provider: string
  readonly loaded: boolean
  readonly nodes: readonly string[]
  readonly size: number | null
  readonly capabilities: readonly string[]
}

export interface ModelsServer extends AsyncDisposable {
  readonly url: string
  /** What was logged, from `info` on. */
  readonly logged: readonly string[]
  /** The models as a caller sees them. */
  list(): Promise<readonly ListedModel[]>
}

export interface ModelsServerOptions {
  /** The cluster in the same process, or where to find one. */
  readonly cluster: Cluster | string
  readonly clusterApiKey?: string
  readonly timeoutMs?: number
  readonly freshMs?: number
}

/** The models on a server where everybody is signed in. A cluster elsewhere is asked anew for each list. */
export async function startModelsServer(options: ModelsServerOptions): Promise<ModelsServer> {
  const { cluster, clusterApiKey, timeoutMs = 5000, freshMs = 0 } = options
  const logged: string[] = []
  const destination = { write: (line: string) => void logged.push(line) }
  const log = createLogger({ level: 'info', format: 'json', destination })
  const remote = typeof cluster === 'string' ? new URL(cluster) : undefined
  const models = createModels({
    cluster: typeof cluster === 'string' ? undefined : cluster,
    clusterApiKey,
    settings: readSettings(modelsSettings, {
      RUNTIME_CLUSTER_HOST: remote?.hostname,
      RUNTIME_CLUSTER_PORT: remote?.port,
    }),
    log,
    timeoutMs,
    freshMs,
  })
  const silent = createLogger({ level: 'silent', format: 'json' })
  const app = await createHttpServer({
    log: silent,
    metrics: createMetrics({ watchProcess: false }),
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log: silent }),
    fallbackInterface: platformInterface,
    authenticate: async () => ({ ...nobody, id: 'nadia', username: 'nadia', method: 'session' }),
    anonymous: nobody,
    trustedProxies: [],
    version: '0.0.0',
  })
  await registerInterface(app, models.interface, models.addRoutes)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    logged,
    async list() {
      const answer = await fetch(`${url}/api/v1/models`)
      if (answer.status !== 200) throw new Error(`status ${answer.status}: ${await answer.text()}`)
      return ((await answer.json()) as { data: readonly ListedModel[] }).data
    },
    async [Symbol.asyncDispose]() {
      await closeHttpServer(app, 1000)
      await models[Symbol.asyncDispose]()
    },
  }
}
