import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import {
  createEngine,
  createExecutionGauge,
  createStepExecutor,
  type Engine,
  findModelWarnings,
} from '#engine'
import { readSettings } from '#kernel/config'
import { migrate } from '#kernel/database'
import { createEvents, type Events } from '#kernel/events'
import {
  closeHttpServer,
  createHttpServer,
  nobody,
  type Principal,
  perCaller,
  registerInterface,
} from '#kernel/http'
import { createIdempotency } from '#kernel/idempotency'
import { createLimiter } from '#kernel/limits'
import { createOutbound } from '#kernel/outbound'
import { createSealing, sealingSettings } from '#kernel/sealing'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { createVitals, type Vitals, vitalsMigrations } from '#kernel/vitals'
import { createWorker, createWorkerDirectory } from '#kernel/work'
import { createModels, type Models, modelsSettings } from '#models'
import {
  type Agents,
  builtInWorkflows,
  createAgentCheck,
  createAgents,
  createOrchestra,
  createOrchestraTelling,
  createRunAgent,
  openWatch,
  orchestraMigrations,
} from '#orchestra'
import { createAudience, createDispatcher, createEstimates } from '#runs'
import type { Webhooks } from '#webhooks'
import { createWorkflows, createWorkflowsTelling } from '#workflows'
import { migrationSets } from '../../src/app/migrations.ts'
import { platformInterface } from '../../src/app/platform-interface/interface.ts'
import { addReferencePage } from '../../src/app/reference-page/reference-page.ts'
import type { RunStep } from '../database/engine-setting.ts'
import { makeWebhooks } from '../database/webhooks-worker.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

interface Answer {
  readonly status: number
  readonly headers: Headers
  /** As it was read: each test looks at the fields it is about. */
  readonly body: ReturnType<typeof JSON.parse>
}

interface CallOptions {
  /** Who asks: `nora` and `otto` run workflows, `mara` manages them, `vera` may only look at analytics; `''` is nobody. */
  readonly as?: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface OrchestraServer extends AsyncDisposable {
  readonly url: string
  readonly engine: Engine
  readonly agents: Agents
  readonly database: TestDatabase
  readonly models: Models
  readonly webhooks: Webhooks
  readonly vitals: Vitals
  readonly events: Events
  /** The id of an account. */
  idOf(name: string): string
  /** Saves a flow by the engine, and answers its id. */
  save(
    steps: readonly object[],
    more?: { readonly flow?: object; readonly metadata?: object },
  ): Promise<string>
  /** Of Orchestra, unless the path begins with another prefix. */
  call(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer>
}

interface OrchestraServerOptions {
  /** `api` answers requests and leaves the work to others. */
  readonly role?: 'all' | 'api'
  readonly database?: TestDatabase
  readonly concurrentWorkflows?: number
  readonly requestsPerHour?: number
  readonly microDollarsPerDay?: number
  readonly queueLimit?: number
  /** Environment of the models, such as OPENAI_BASE_URL. Default: only what is built in. */
  readonly environment?: Readonly<Record<string, string>>
  /** Does the work of steps, with those who usually do it at hand. */
  readonly runStep?: (usually: RunStep) => RunStep
  readonly publicUrl?: string
}

const permissionsOf: Readonly<Record<string, readonly string[]>> = {
  nora: ['run workflows', 'manage webhooks'],
  otto: ['run workflows'],
  mara: ['run workflows', 'manage workflows', 'view workflow analytics', 'manage webhooks'],
  vera: ['view workflow analytics'],
}

/** Orchestra and Workflows on a real server, with models, engine, worker and webhooks; callers say in a header who they are. */
export async function startOrchestraServer(options: OrchestraServerOptions = {}): Promise<OrchestraServer> {
  const { role = 'all', concurrentWorkflows = 20, requestsPerHour = 10_000, queueLimit = 100_000 } = options
  const { microDollarsPerDay = 1_000_000, environment = {}, publicUrl } = options
  await using closing = new AsyncDisposableStack()
  const database = options.database ?? closing.use(await createTestDatabase())
  await migrate(database, [...new Set([...migrationSets, vitalsMigrations, orchestraMigrations])], log)
  const metrics = createMetrics({ watchProcess: false })
  const accounts = new Map(Object.keys(permissionsOf).map((name) => [name, accountId(name)]))
  const limits = { requestsPerHour, concurrentWorkflows, microDollarsPerDay }
  const perHour = { limit: requestsPerHour, windowSeconds: 3600 }
  const tiers = {
    limitsOfTier: () => limits,
    requestsPerHour: perCaller({ name: 'requests-per-hour', signedIn: perHour, anonymous: perHour }),
  }
  const events = closing.use(createEvents({ database, log, metrics }))
  const limiter = closing.use(createLimiter({ database, log, metrics }))
  const models = closing.use(
    await createModels({
      database,
      events,
      sealing: createSealing({ settings: readSettings(sealingSettings, {}), database, dataDir: '' }),
      tiers,
      cluster: undefined,
      // Nobody listens there: there is no cluster.
      clusterService: { url: 'http://127.0.0.1:9', apiKey: undefined },
      settings: readSettings(modelsSettings, { RUNTIME_NODE_URL: 'http://127.0.0.1:9', ...environment }),
      log,
      metrics,
    }),
  )
  const outbound = createOutbound({ allow: ['127.0.0.1'], log })
  const webhooks = makeWebhooks(database)
  const workers = createWorkerDirectory(database)
  const watch = closing.use(await openWatch({ database, events, log, workers, works: role === 'all' }))
  const audience = closing.use(createAudience({ database, webhooks, isWatched: () => watch.isWatched() }))
  const { gateway, askForJson, findModel, settle, schemas: forms } = models
  const agents = createAgents({ database, forms })
  await agents.seedBuiltIn()
  const runAgent = createRunAgent({
    agents,
    gateway,
    askForJson,
    findModel,
    forms,
    settle,
    tierOf: async () => 'professional',
  })
  const usually = createStepExecutor({ gateway, askForJson, outbound, runAgent })
  const engine = closing.use(
    await createEngine({
      database,
      log,
      limitsOf: async () => limits,
      runStep: options.runStep?.(usually) ?? usually,
      purseOf: async (account) => models.purseOf({ accountId: account, microDollarsPerDay }),
      standingOf: async () => 'permitted',
      findModel: (name) => findModel(name),
      checkModels: async ({ steps }) => findModelWarnings(steps, await models.catalogue.find()),
      checkAgents: createAgentCheck(agents),
      publishes: audience.publishes,
      settings: {
        executionConcurrency: 20,
        synchronousConcurrency: 100,
        executionRetentionMs: 86_400_000,
        queueLimit,
      },
    }),
  )
  await engine.flows.seedBuiltIn(builtInWorkflows)
  const worker = createWorker({ database, log, metrics, role, queues: [...engine.queues, webhooks.queue] })
  if (role === 'all') {
    closing.defer(() => worker.stop())
    await worker.start()
    const estimate = createEstimates(engine)
    const tellings = [
      createWorkflowsTelling({ database, engine, webhooks, audience, estimate }),
      createOrchestraTelling({
        database,
        engine,
        events,
        webhooks,
        estimate,
        watch,
        spentToday: models.spentToday,
        dayLimitOf: async () => microDollarsPerDay,
      }),
    ]
    closing.use(createDispatcher({ engine, webhooks, audience, estimate, tellings, log, metrics }))
  }
  const vitals = closing.use(
    createVitals({
      database,
      log,
      gauges: [
        createExecutionGauge({
          database,
          workers,
          executionConcurrency: 20,
        }),
      ],
      settings: { dataDir: tmpdir(), sampleEveryMs: 200, gaugeEveryMs: 50, flushEveryMs: 500 },
    }),
  )
  const app = await createHttpServer({
    log,
    metrics,
    vitals,
    limiter,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackInterface: platformInterface,
    authenticate: async ({ headers }) => principalOf(String(headers['x-as'] ?? ''), accounts),
    anonymous: nobody,
    trustedProxies: [],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  await registerInterface(app, platformInterface, (routes) => addReferencePage(routes))
  const system = { version: '0.0.0', environment: 'test' }
  const shared = {
    database,
    engine,
    models,
    tiers,
    worker: role === 'all' ? worker : undefined,
    idempotency: closing.use(createIdempotency({ database, log })),
    webhooks,
    outbound,
    notices: { configured: { mail: false, slack: false } },
    addressOf: async () => undefined,
    publicUrl,
  }
  await createOrchestra({
    ...shared,
    agents,
    limiter,
    events,
    watch,
    vitals,
    system,
    spentToday: models.spentToday,
  }).register(app)
  await createWorkflows(shared).register(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = closing.move()
  let flows = 0

  async function call(path: string, { as = 'nora', method = 'GET', body, headers }: CallOptions = {}) {
    const answer = await fetch(`${url}${path.startsWith('/ai-') ? '' : '/ai-orchestra/api'}${path}`, {
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
    engine,
    agents,
    database,
    models,
    webhooks,
    vitals,
    events,
    idOf: (name) => accounts.get(name) ?? '',
    async save(steps, { flow = {}, metadata } = {}) {
      flows += 1
      const id = `flow_${flows}_${randomUUID().slice(0, 8)}`
      const definition = { id, label: 'A test', steps, ...flow }
      await engine.flows.create(
        { definition, ...(metadata !== undefined && { metadata }) },
        { by: { accountId: null, username: null } },
      )
      return id
    },
    call,
    post: (path, body, more = {}) => call(path, { ...more, method: 'POST', body }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The same account on every server of a test. */
function accountId(name: string): string {
  return `00000000-0000-7000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`
}

function principalOf(name: string, accounts: ReadonlyMap<string, string>): Principal {
  const id = accounts.get(name)
  // Somebody who did not sign in, where everybody may run workflows.
  if (name === 'guest') return { ...nobody, permissions: new Set(['run workflows']) }
  if (id === undefined) return nobody
  return { ...nobody, id, username: name, method: 'token', permissions: new Set(permissionsOf[name]) }
}
