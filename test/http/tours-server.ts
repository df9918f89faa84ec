import { createIdentity, type Identity, identitySettings } from '#identity'
import { readSettings } from '#kernel/config'
import { migrate } from '#kernel/database'
import { createEvents, type Events } from '#kernel/events'
import {
  closeHttpServer,
  createHttpServer,
  nobody,
  type Principal,
  registerInterface,
  setPagePolicy,
} from '#kernel/http'
import { createIdempotency } from '#kernel/idempotency'
import { createLimiter } from '#kernel/limits'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { createTours, type Tours } from '#tours'
import { migrationSets } from '../../src/app/migrations.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

export const toursPath = '/admin/structure/recipe-onboarding/tours'
export const builderPath = '/api/recipe-tour-builder/tour'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** As it was read: each test looks at the fields it is about. */
  readonly body: ReturnType<typeof JSON.parse>
}

interface CallOptions {
  /**
   * Who asks: what is before the first `-` says what they may do, the whole says who they are, so that limits of one test do not
   * reach another. `''` is nobody, with an address of its own; undefined leaves it to the headers.
   */
  readonly as?: string | undefined
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ToursServer extends AsyncDisposable {
  readonly url: string
  readonly database: TestDatabase
  readonly events: Events
  readonly identity: Identity
  readonly tours: Tours
  /** Of the tours' path, unless it begins with another prefix. */
  call(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer>
  put(path: string, body: unknown, options?: CallOptions): Promise<Answer>
  delete(path: string, options?: CallOptions): Promise<Answer>
  /** Makes a tour and answers it. */
  make(body?: object): Promise<Answer['body']>
  /** Adds a step to a tour and answers it. */
  addStep(tour: string, data?: object): Promise<Answer['body']>
}

const permissionsOf: Readonly<Record<string, readonly string[]>> = {
  creator: ['create recipe tours'],
  editor: ['edit recipe tours'],
  deleter: ['delete recipe tours'],
  exporter: ['export recipe tours'],
  analyst: ['view recipe tour analytics'],
  admin: ['administer recipe tours'],
  stranger: ['access content'],
}

let accounts = 0

/** Somebody new who may do what the role may: with limits of their own. */
export function somebody(role: string): string {
  accounts += 1
  return `${role}-${accounts}`
}

/** Tours with identity on a real server, behind a proxy on this machine. */
export async function startToursServer(): Promise<ToursServer> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  await migrate(database, migrationSets, log)
  const metrics = createMetrics({ watchProcess: false })
  const events = closing.use(createEvents({ database, log, metrics }))
  const limiter = closing.use(createLimiter({ database, log, metrics }))
  const settings = readSettings(identitySettings, {})
  const identity = closing.use(await createIdentity({ database, events, limiter, log, metrics, settings }))
  const app = await createHttpServer({
    log,
    metrics,
    limiter,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackInterface: identity.interface,
    authenticate: async (request) => {
      const name = request.headers['x-as']
      return name === undefined ? await identity.authenticate(request) : principalOf(String(name))
    },
    anonymous: identity.anonymous,
    trustedProxies: ['127.0.0.1'],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  const idempotency = closing.use(createIdempotency({ database, log }))
  const tours = createTours({
    database,
    events,
    idempotency,
    settings: { visitorRequestsPerMinute: 20 },
    publicUrl: undefined,
    log,
  })
  await registerInterface(app, identity.interface, identity.addRoutes)
  await tours.register(app, {
    sendPage(reply, { framesOthers = false } = {}) {
      setPagePolicy(reply, { framedByOurselves: true, framesOthers })
      return reply.type('text/html; charset=utf-8').send('<!doctype html><title>The console</title>')
    },
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = closing.move()
  const us = somebody('admin')
  let addresses = 0

  async function call(path: string, options: CallOptions = {}): Promise<Answer> {
    const { as = 'as' in options ? undefined : us, method = 'GET', body, headers } = options
    addresses += 1
    const answer = await fetch(
      `${url}${/^\/(?:admin|api|tours|user|session)/.test(path) ? '' : toursPath}${path}`,
      {
        method,
        headers: {
          ...(as !== undefined && { 'x-as': as }),
          ...(as === '' && { 'x-forwarded-for': `10.9.${addresses >> 8}.${addresses & 255}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
    )
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
  }

  const post = (path: string, body: unknown, more: CallOptions = {}) =>
    call(path, { ...more, method: 'POST', body })
  const put = (path: string, body: unknown, more: CallOptions = {}) =>
    call(path, { ...more, method: 'PUT', body })

  return {
    url,
    database,
    events,
    identity,
    tours,
    call,
    post,
    put,
    delete: (path, more = {}) => call(path, { ...more, method: 'DELETE' }),
    async make(body = {}) {
      const made = await post(
        '',
        { label: 'A tour', creation_method: 'visual', ...body },
        { as: somebody('admin') },
      )
      if (made.status !== 201) throw new Error(`the tour was not made: ${JSON.stringify(made.body)}`)
      return made.body.tour
    },
    async addStep(tour, data = {}) {
      const stepData = {
        title: 'A step',
        body: '<p>Hello.</p>',
        selector: '#here',
        location: 'bottom',
        ...data,
      }
      const saved = await post(
        `${builderPath}/${tour}/step`,
        { stepId: 'new-step', stepData },
        { as: somebody('admin') },
      )
      if (saved.status !== 201) throw new Error(`the step was not made: ${JSON.stringify(saved.body)}`)
      return saved.body.step
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function principalOf(name: string): Principal {
  const permissions = permissionsOf[name.split('-', 1)[0] ?? '']
  if (permissions === undefined) return nobody
  const id = `00000000-0000-7000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`
  return { ...nobody, id, username: name, method: 'token', permissions: new Set(permissions) }
}
