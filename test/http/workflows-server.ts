import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createEngine, type Engine, type EngineSettings } from '#engine'
import { closeHttpServer, createHttpServer, nobody, type Principal, perCaller } from '#kernel/http'
import { createIdempotency } from '#kernel/idempotency'
import { createLimiter } from '#kernel/limits'
import { createOutbound } from '#kernel/outbound'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { createWorker } from '#kernel/work'
import type { Models } from '#models'
import { createAudience, createDispatcher, createEstimates, createNoticesTelling } from '#runs'
import { type Webhooks } from '#webhooks'
import { createWorkflows, createWorkflowsTelling } from '#workflows'
import { platformInterface } from '../../src/app/platform-interface/interface.ts'
import { type RunStep, runPlainly } from '../database/engine-setting.ts'
import { makeNotices } from '../database/notices-worker.ts'
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
  /** Who asks: `nora` runs workflows, `otto` too, `mara` manages them, `vera` may only look at analytics. */
  readonly as?: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface WorkflowsServer extends AsyncDisposable {
  readonly url: string
  readonly engine: Engine
  readonly database: TestDatabase
  readonly webhooks: Webhooks
  /** The id of an account. */
  idOf(name: string): string
  /** Saves a flow by the engine, and answers its id. */
  save(steps: readonly object[], more?: SavedMore): Promise<string>
  call(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer>
}

interface SavedMore {
  readonly flow?: object
  readonly metadata?: object
}

interface WorkflowsServerOptions {
  readonly runStep?: RunStep
  /** `api` answers requests and leaves the work to others. */
  readonly role?: 'all' | 'api'
  readonly database?: TestDatabase
  readonly concurrentWorkflows?: number
  readonly requestsPerHour?: number
  readonly settings?: Partial<EngineSettings>
  /** Settings of mail and Slack. Default: nothing is sent. */
  readonly notices?: Readonly<Record<string, string>>
  /** Addresses of accounts, by name. */
  readonly addresses?: Readonly<Record<string, string>>
  /** Default: there are none. */
  readonly models?: Pick<Models, 'catalogue' | 'findModel'>
}

const noModels: Pick<Models, 'catalogue' | 'findModel'> = {
  catalogue: { find: async () => [] },
  findModel: async () => undefined,
}

const permissionsOf: Readonly<Record<string, readonly string[]>> = {
  nora: ['run workflows'],
  otto: ['run workflows'],
  mara: ['run workflows', 'manage workflows', 'view workflow analytics'],
  vera: ['view workflow analytics'],
}

const linkOf = (id: string) => `https://tutti.example.com/executions/${id}`

/** The Workflows API on a real server with an engine and a worker of its own; callers say in a header who they are. */
export async function startWorkflowsServer(options: WorkflowsServerOptions = {}): Promise<WorkflowsServer> {
  const { runStep = runPlainly, role = 'all', concurrentWorkflows = 20, requestsPerHour = 10_000 } = options
  const { models = noModels, addresses = {} } = options
  await using closing = new AsyncDisposableStack()
  const database = options.database ?? closing.use(await createTestDatabase())
  const metrics = createMetrics({ watchProcess: false })
  const accounts = new Map(Object.keys(permissionsOf).map((name) => [name, accountId(name)]))
  const outbound = createOutbound({ allow: ['127.0.0.1'], log })
  const webhooks = makeWebhooks(database)
  const notices = makeNotices(database, { environment: options.notices ?? {} })
  const addressOf = async (id: string) =>
    Object.entries(addresses).find(([name]) => accounts.get(name) === id)?.[1]
  const audience = createAudience({ database, webhooks, notices })
  const engine = closing.use(
    await createEngine({
      database,
      log,
      limitsOf: async () => ({ concurrentWorkflows }),
      runStep,
      purseOf: async () => ({ reserve: async () => ({ settle: async () => undefined }) }),
      standingOf: async () => 'permitted',
      findModel: (name) => models.findModel(name),
      publishes: audience.publishes,
      settings: {
        executionConcurrency: 20,
        synchronousConcurrency: 100,
        executionRetentionMs: 86_400_000,
        queueLimit: 100_000,
        ...options.settings,
      },
    }),
  )
  const worker = createWorker({
    database,
    log,
    metrics,
    role,
    queues: [...engine.queues, webhooks.queue, ...notices.queues],
  })
  if (role === 'all') {
    closing.defer(() => worker.stop())
    await worker.start()
    const estimate = createEstimates(engine)
    const tellings = [
      createWorkflowsTelling({ database, engine, webhooks, audience, estimate }),
      createNoticesTelling({ engine, notices, addressOf, linkOf, log }),
    ]
    closing.use(createDispatcher({ engine, webhooks, audience, estimate, tellings, log, metrics }))
  }
  const limiter = createLimiter({ database, log, metrics })
  closing.defer(() => limiter.close())
  const idempotency = closing.use(createIdempotency({ database, log }))
  const perHour = { limit: requestsPerHour, windowSeconds: 3600 }
  const app = await createHttpServer({
    log,
    metrics,
    limiter,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackInterface: platformInterface,
    authenticate: async ({ headers }) => principalOf(String(headers['x-as'] ?? ''), accounts),
    anonymous: nobody,
    trustedProxies: [],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  const workflows = createWorkflows({
    database,
    engine,
    models,
    tiers: {
      limitsOfTier: () => ({ requestsPerHour, concurrentWorkflows, microDollarsPerDay: 1_000_000 }),
      requestsPerHour: perCaller({ name: 'requests-per-hour', signedIn: perHour, anonymous: perHour }),
    },
    worker: role === 'all' ? worker : undefined,
    idempotency,
    webhooks,
    notices,
    addressOf,
    outbound,
    publicUrl: undefined,
  })
  await workflows.register(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = closing.move()
  let flows = 0

  /** Reading and steering are limited to ten in a second, which is not what tests are about: they wait for the next. */
  async function call(path: string, how: CallOptions = {}): Promise<Answer> {
    const answer = await ask(path, how)
    if (answer.status !== 429 || answer.headers.get('x-ratelimit-limit') !== '10') return answer
    await setTimeout(Number(answer.headers.get('retry-after')) * 1000)
    return await call(path, how)
  }

  async function ask(path: string, { as = 'nora', method = 'GET', body, headers }: CallOptions) {
    const answer = await fetch(`${url}/ai-workflows/api${path}`, {
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
    database,
    webhooks,
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
