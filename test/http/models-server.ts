import type { Cluster } from '#cluster'
import { readSettings } from '#kernel/config'
import { createEvents } from '#kernel/events'
import { closeHttpServer, createHttpServer, nobody, perCaller } from '#kernel/http'
import { createIdempotency } from '#kernel/idempotency'
import { createLimiter } from '#kernel/limits'
import { createSealing, sealingSettings } from '#kernel/sealing'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { clusterUrlOf, createModels, modelsSettings } from '#models'
import { platformInterface } from '../../src/app/platform-interface/interface.ts'
import { createTestDatabase } from '../support/test-database.ts'

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
  /** The models of the cluster as a caller sees them. */
  list(): Promise<readonly ListedModel[]>
}

export interface ModelsServerOptions {
  /** The cluster in the same process, or where to find one. */
  readonly cluster: Cluster | string
  /** The service of a cluster in the same process. */
  readonly url?: string
  readonly clusterApiKey?: string
  readonly timeoutMs?: number
  readonly freshMs?: number
}

const plenty = { requestsPerHour: 1000, concurrentWorkflows: 10, microDollarsPerDay: 1_000_000 }
const manyPerHour = { limit: plenty.requestsPerHour, windowSeconds: 3600 }
const requestsPerHour = perCaller({ name: 'test', signedIn: manyPerHour, anonymous: manyPerHour })

/** The models on a server where everybody is signed in. A cluster elsewhere is asked anew for each list. */
export async function startModelsServer(options: ModelsServerOptions): Promise<ModelsServer> {
  const { cluster, clusterApiKey, timeoutMs = 5000, freshMs = 0 } = options
  const logged: string[] = []
  const destination = { write: (line: string) => void logged.push(line) }
  const log = createLogger({ level: 'info', format: 'json', destination })
  const remote = typeof cluster === 'string' ? new URL(cluster) : undefined
  await using closing = new AsyncDisposableStack()
  const silent = createLogger({ level: 'silent', format: 'json' })
  const metrics = createMetrics({ watchProcess: false })
  const database = closing.use(await createTestDatabase())
  const limiter = closing.use(createLimiter({ database, log: silent, metrics }))
  const settings = readSettings(modelsSettings, {
    RUNTIME_CLUSTER_HOST: remote?.hostname,
    RUNTIME_CLUSTER_PORT: remote?.port,
    // Nobody listens there: what is not in the cluster is nowhere.
    RUNTIME_NODE_URL: 'http://127.0.0.1:9',
  })
  const models = closing.use(
    await createModels({
      database,
      events: closing.use(createEvents({ database, log: silent, metrics })),
      sealing: createSealing({ settings: readSettings(sealingSettings, {}), database, dataDir: '' }),
      tiers: { limitsOfTier: () => plenty, requestsPerHour },
      cluster: typeof cluster === 'string' ? undefined : cluster,
      clusterService: { url: options.url ?? clusterUrlOf(settings), apiKey: clusterApiKey },
      settings,
      log,
      metrics,
      timeoutMs,
      freshMs,
    }),
  )
  const app = await createHttpServer({
    log: silent,
    metrics,
    limiter,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log: silent }),
    fallbackInterface: platformInterface,
    authenticate: async () => ({ ...nobody, id: 'nadia', username: 'nadia', method: 'session' }),
    anonymous: nobody,
    trustedProxies: [],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  await models.register(app, closing.use(createIdempotency({ database, log: silent })))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = closing.move()
  return {
    url,
    logged,
    async list() {
      const answer = await fetch(`${url}/api/v1/models`)
      if (answer.status !== 200) throw new Error(`status ${answer.status}: ${await answer.text()}`)
      const { data } = (await answer.json()) as { data: readonly ListedModel[] }
      return data.filter(({ provider }) => provider === 'ollama')
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
