import { randomUUID } from 'node:crypto'
import {
  closeHttpServer,
  createHttpServer,
  nobody,
  type Principal,
  perCaller,
  plainVoice,
  registerInterface,
} from '#kernel/http'
import { createLimiter } from '#kernel/limits'
import { createMetrics, startTracing } from '#kernel/telemetry'
import { addWebhookRoutes, type Webhooks } from '#webhooks'
import { openWebhooksDatabase } from '../database/webhooks-setting.ts'
import { makeWebhooks, makeWorker, quiet } from '../database/webhooks-worker.ts'
import type { TestDatabase } from '../support/test-database.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  /** As it was read: each test looks at the fields it is about. */
  readonly body: ReturnType<typeof JSON.parse>
}

interface CallOptions {
  /** Who asks: `nora` and `otto` manage webhooks, `vera` may not; nobody without a name. */
  readonly as?: string
  readonly method?: string
  readonly body?: unknown
  readonly api?: Api
}

type Api = 'workflows' | 'orchestra'

export interface WebhooksServer extends AsyncDisposable {
  readonly url: string
  readonly webhooks: Webhooks
  readonly database: TestDatabase
  idOf(name: string): string
  call(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
}

const prefixes = { workflows: '/ai-workflows/api', orchestra: '/orchestra/api' } as const
const eventsOf = {
  workflows: ['flow.execution.started', 'flow.execution.completed', 'flow.step.completed'],
  orchestra: ['workflow.completed', 'workflow.failed'],
}

/** The webhooks of both interfaces on a real server, with a worker; callers say in a header who they are. */
export async function startWebhooksServer({ sendsPerHour = 10_000 } = {}): Promise<WebhooksServer> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await openWebhooksDatabase())
  const metrics = createMetrics({ watchProcess: false })
  const webhooks = makeWebhooks(database)
  const worker = makeWorker(database, webhooks, { pollMs: 100 })
  closing.defer(() => worker.stop())
  await worker.start()
  const limiter = createLimiter({ database, log: quiet, metrics })
  closing.defer(() => limiter.close())
  const definitions = (['workflows', 'orchestra'] as const).map((api) => ({
    ...plainVoice,
    name: api,
    title: api,
    version: '1.0.0',
    description: 'A test.',
    prefixes: [prefixes[api]],
  }))
  const accounts = new Map(['nora', 'otto', 'vera'].map((name) => [name, randomUUID() as string]))
  const app = await createHttpServer({
    log: quiet,
    metrics,
    limiter,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log: quiet }),
    fallbackInterface: {
      ...plainVoice,
      name: 'rest',
      title: '',
      version: '1',
      description: '',
      prefixes: ['/'],
    },
    authenticate: async ({ headers }) => principalOf(String(headers['x-as'] ?? ''), accounts),
    anonymous: nobody,
    trustedProxies: [],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  for (const definition of definitions) {
    const { name: api } = definition
    await registerInterface(app, definition, (routes) =>
      addWebhookRoutes(routes, {
        webhooks,
        prefix: prefixes[api],
        api,
        events: eventsOf[api],
        publicUrl: undefined,
        rates: { reads: perHour('reads', 10_000), sends: perHour('sends', sendsPerHour) },
      }),
    )
  }
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = closing.move()

  async function call(path: string, how: CallOptions = {}): Promise<Answer> {
    const { as = 'nora', method = 'GET', body, api = 'workflows' } = how
    const answer = await fetch(path.startsWith('http') ? path : `${url}${prefixes[api]}${path}`, {
      method,
      headers: { 'x-as': as, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
  }

  return {
    url,
    webhooks,
    database,
    idOf: (name) => accounts.get(name) ?? '',
    call,
    post: (path, body, more = {}) => call(path, { ...more, method: 'POST', body }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function principalOf(name: string, accounts: ReadonlyMap<string, string>): Principal {
  const id = accounts.get(name)
  if (id === undefined) return nobody
  const permissions = name === 'vera' ? [] : ['manage webhooks']
  return { ...nobody, id, username: name, method: 'token', permissions: new Set(permissions) }
}

function perHour(name: string, limit: number) {
  const rate = { limit, windowSeconds: 3600 }
  return perCaller({ name, signedIn: rate, anonymous: rate })
}
