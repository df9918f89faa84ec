import { tmpdir } from 'node:os'
import { createEngine, createStepExecutor, type Engine } from '#engine'
import { readSettings } from '#kernel/config'
import { createEvents, type Events } from '#kernel/events'
import { closeHttpServer, createHttpServer, nobody, type Principal, perCaller } from '#kernel/http'
import { createIdempotency } from '#kernel/idempotency'
import { createLimiter } from '#kernel/limits'
import { createOutbound } from '#kernel/outbound'
import { createSealing, sealingSettings } from '#kernel/sealing'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { createVitals, type Vitals } from '#kernel/vitals'
import { createWorker, createWorkerDirectory } from '#kernel/work'
import { createModels, type Models, modelsSettings } from '#models'
import { createNotices } from '#notices'
import { createStatus, type Status, statusSettings } from '#status'
import { platformInterface } from '../../src/app/platform-interface/interface.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

interface Answer {
  readonly status: number
  readonly headers: Headers
  /** As it was read: each test looks at the fields it is about. */
  readonly body: ReturnType<typeof JSON.parse>
}

interface CallOptions {
  /** Who asks: `ada` and `alan` administer, `vera` may only look at content; `''` is nobody. */
  readonly as?: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface StatusServer extends AsyncDisposable {
  readonly url: string
  readonly status: Status
  readonly database: TestDatabase
  readonly models: Models
  readonly engine: Engine
  readonly events: Events
  readonly vitals: Vitals
  idOf(name: string): string
  call(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  /** Looks at everything now, so often, and answers how everything is told to be then. */
  probe(times?: number): Promise<Answer['body']>
  /** Changes how services are watched. */
  configure(change: object): Promise<void>
  /** How one service is told to be. */
  service(name: string): Promise<Answer['body']>
}

export interface StatusServerOptions {
  /** `api` answers requests and leaves the work to others. */
  readonly role?: 'all' | 'api'
  readonly database?: TestDatabase
  /** Environment of models and status, such as OPENAI_BASE_URL or TUTTI_QDRANT_URL. */
  readonly environment?: Readonly<Record<string, string>>
  /** The address of a cluster service. Default: nobody listens there. */
  readonly clusterUrl?: string
  readonly dataDir?: string
  /** Does the work of steps. */
  readonly runStep?: ReturnType<typeof createStepExecutor>
  readonly executionConcurrency?: number
  /** How services are watched at first. Default: with more patience than usual, because the machine of a test may be busy. */
  readonly config?: object
}

const patient = {
  timeout_seconds: 20,
  slow_ms: Object.fromEntries(
    ['database', 'disk', 'ollama', 'openai', 'anthropic', 'vector_db', 'mcp'].map((name) => [name, 60_000]),
  ),
}

const permissionsOf: Readonly<Record<string, readonly string[]>> = {
  ada: ['administer llm', 'access content'],
  alan: ['administer llm', 'access content'],
  vera: ['access content'],
}

/** Status on a real server, with models, engine and worker; callers say in a header who they are. Nobody probes unless it is asked for. */
export async function startStatusServer(options: StatusServerOptions = {}): Promise<StatusServer> {
  const { role = 'all', environment = {}, clusterUrl = 'http://127.0.0.1:9', dataDir = tmpdir() } = options
  await using closing = new AsyncDisposableStack()
  const database = options.database ?? closing.use(await createTestDatabase())
  await database.query('insert into status_config (settings) values ($1) on conflict do nothing', [
    JSON.stringify(options.config ?? patient),
  ])
  const metrics = createMetrics({ watchProcess: false })
  const events = closing.use(createEvents({ database, log, metrics }))
  const limiter = closing.use(createLimiter({ database, log, metrics }))
  const limits = { requestsPerHour: 10_000, concurrentWorkflows: 20, microDollarsPerDay: 1_000_000 }
  const perHour = { limit: 10_000, windowSeconds: 3600 }
  const sealing = createSealing({
    settings: readSettings(sealingSettings, {
      TUTTI_SECRET: 'a secret that only tests know, and long enough',
    }),
    database,
    dataDir: '',
  })
  const cluster = { url: clusterUrl, apiKey: undefined }
  const models = closing.use(
    await createModels({
      database,
      events,
      sealing,
      tiers: {
        limitsOfTier: () => limits,
        requestsPerHour: perCaller({ name: 'requests-per-hour', signedIn: perHour, anonymous: perHour }),
      },
      cluster: undefined,
      clusterService: cluster,
      settings: readSettings(modelsSettings, { RUNTIME_NODE_URL: 'http://127.0.0.1:9', ...environment }),
      log,
      metrics,
      // What a cluster says now is asked for now: tests change it from one probe to the next.
      freshMs: 0,
    }),
  )
  const outbound = createOutbound({ allow: ['127.0.0.1'], log })
  const { gateway, askForJson } = models
  const engine = closing.use(
    await createEngine({
      database,
      log,
      limitsOf: async () => limits,
      runStep:
        options.runStep ??
        createStepExecutor({
          gateway,
          askForJson,
          outbound,
          runAgent: () => Promise.reject(new Error('there are no agents here')),
        }),
      purseOf: async (account) => models.purseOf({ accountId: account, microDollarsPerDay: 1_000_000 }),
      standingOf: async () => 'permitted',
      findModel: (name) => models.findModel(name),
      settings: {
        executionConcurrency: options.executionConcurrency ?? 20,
        synchronousConcurrency: 100,
        executionRetentionMs: 86_400_000,
        queueLimit: 100_000,
      },
    }),
  )
  const vitals = closing.use(
    createVitals({
      database,
      log,
      gauges: [],
      settings: { dataDir: tmpdir(), sampleEveryMs: 200, gaugeEveryMs: 200, flushEveryMs: 200 },
    }),
  )
  if (role === 'all') {
    const worker = createWorker({ database, log, metrics, role, queues: engine.queues })
    closing.defer(() => worker.stop())
    await worker.start()
  }
  const status = createStatus({
    database,
    events,
    idempotency: closing.use(createIdempotency({ database, log, sealing })),
    models,
    engine,
    vitals,
    workers: createWorkerDirectory(database),
    sealing,
    outbound,
    notices: createNotices({
      database,
      channels: { mail: undefined, slack: undefined },
      retentionMs: 86_400_000,
      log,
      metrics,
    }),
    cluster,
    settings: readSettings(statusSettings, environment),
    dataDir,
    startedAt: new Date(),
    version: '1.2.3',
    publicUrl: undefined,
    log,
    metrics,
  })
  const app = await createHttpServer({
    log,
    metrics,
    vitals,
    limiter,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackInterface: platformInterface,
    authenticate: async ({ headers }) => principalOf(String(headers['x-as'] ?? '')),
    anonymous: nobody,
    trustedProxies: [],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  await status.register(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = closing.move()

  async function call(path: string, { as = 'ada', method = 'GET', body, headers }: CallOptions = {}) {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-as': as,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
  }

  return {
    url,
    status,
    database,
    models,
    engine,
    events,
    vitals,
    idOf: accountId,
    call,
    post: (path, body, more = {}) => call(path, { ...more, method: 'POST', body }),
    async probe(times = 1) {
      let report: Answer['body']
      for (let count = 0; count < times; count += 1) {
        // Whoever asks for more than thirty in a minute is another person.
        const answer = await call('/admin/llm/probe', { as: `prober-${++proberCount}`, method: 'POST' })
        if (answer.status !== 200) throw new Error(`the probe was answered with ${answer.status}`)
        report = answer.body
      }
      return report
    },
    async configure(change) {
      const answer = await call('/admin/llm/config', { method: 'PUT', body: change })
      if (answer.status !== 200)
        throw new Error(`the change was answered with ${JSON.stringify(answer.body)}`)
    },
    service: async (name) => (await call(`/admin/llm/status/${name}`)).body,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

let proberCount = 0

/** The same account on every server of a test. */
function accountId(name: string): string {
  return `00000000-0000-7000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`
}

function principalOf(name: string): Principal {
  const permissions = name.startsWith('prober-') ? ['administer llm'] : permissionsOf[name]
  if (permissions === undefined) return nobody
  return {
    ...nobody,
    id: accountId(name),
    username: name,
    method: 'token',
    permissions: new Set(permissions),
  }
}
