import { createIdentity, type Identity, identitySettings } from '#identity'
import { readSettings } from '#kernel/config'
import { createEvents, type Events, type StoredEvent } from '#kernel/events'
import { closeHttpServer, createHttpServer, nobody, type Principal, registerInterface } from '#kernel/http'
import { createIdempotency } from '#kernel/idempotency'
import { createLimiter } from '#kernel/limits'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { statusSettings } from '#status'
import { createConfigStore } from '../../src/status/config/config-store.ts'
import { createHistory } from '../../src/status/history/history.ts'
import { createIncidentDesk, type IncidentDesk } from '../../src/status/incidents/desk.ts'
import { addIncidentRoutes } from '../../src/status/incidents/routes.ts'
import { statusInterface } from '../../src/status/interface.ts'
import { addInterfaceUsageRoutes } from '../../src/status/interface-usage/routes.ts'
import { addPublicPageRoutes } from '../../src/status/public-page/routes.ts'
import { createProber } from '../../src/status/services/prober.ts'
import {
  type Probe,
  type ServiceName,
  type ServiceState,
  serviceNames,
} from '../../src/status/services/service.ts'
import { createServices } from '../../src/status/services/services.ts'
import { makeNotices } from '../database/notices-worker.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** As it was read: each test looks at the fields it is about. */
  readonly body: ReturnType<typeof JSON.parse>
}

interface CallOptions {
  /** Who asks: anybody whose name begins with `admin` administers; `reader` may only read; `''` is nobody. */
  readonly as?: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface IncidentsServer extends AsyncDisposable {
  readonly url: string
  readonly database: TestDatabase
  readonly identity: Identity
  readonly events: Events
  readonly desk: IncidentDesk
  /** How the probes find services from now on; the others are not configured. */
  find(states: Partial<Record<ServiceName, ServiceState>>): void
  /** Looks at everything once, and stores what is seen. */
  round(): Promise<void>
  /** Does what the clock is due for. */
  advance(): Promise<void>
  call(path: string, options?: CallOptions): Promise<Answer>
  eventsOf(type: string): Promise<readonly StoredEvent[]>
}

interface IncidentsServerOptions {
  readonly database?: TestDatabase
  readonly environment?: Readonly<Record<string, string>>
  readonly notices?: Readonly<Record<string, string>>
  readonly publicUrl?: string
}

/** Incidents, the public page and analytics on a real server with a real prober, whose probes find what a test says. */
export async function startIncidentsServer(options: IncidentsServerOptions = {}): Promise<IncidentsServer> {
  await using closing = new AsyncDisposableStack()
  const database = options.database ?? closing.use(await createTestDatabase())
  const metrics = createMetrics({ watchProcess: false })
  const events = closing.use(createEvents({ database, log, metrics }))
  const limiter = closing.use(createLimiter({ database, log, metrics }))
  const identity = closing.use(
    await createIdentity({
      database,
      events,
      limiter,
      log,
      metrics,
      settings: readSettings(identitySettings, {}),
    }),
  )
  const settings = readSettings(statusSettings, { TUTTI_STATUS_PAGE: 'true', ...options.environment })
  const { publicUrl } = options
  const notices = makeNotices(database, { environment: options.notices ?? {} })
  const desk = createIncidentDesk({ database, events, notices, settings, publicUrl, log })
  const config = createConfigStore({ database, events })
  // One look is enough to believe it: how doubts are settled is told elsewhere.
  const damping = { worse: 1, better: 1, flapping_changes: 100 }
  await config.change({ damping }, { by: null, ip: '127.0.0.1', user_agent: null })
  let found: Partial<Record<ServiceName, ServiceState>> = {}
  const probes = Object.fromEntries(
    serviceNames.map((name): [ServiceName, Probe] => [
      name,
      async () => ({ state: found[name] ?? 'unconfigured', problem: null, responseMs: 1 }),
    ]),
  ) as Record<ServiceName, Probe>
  const prober = createProber({
    database,
    events,
    config,
    probesFor: () => probes,
    listeners: [desk.onRound],
    tickMs: 1000,
  })
  const app = await createHttpServer({
    log,
    metrics,
    limiter,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackInterface: identity.interface,
    authenticate: (request) => {
      const as = request.headers['x-as']
      return as === undefined ? identity.authenticate(request) : Promise.resolve(principalOf(String(as)))
    },
    anonymous: nobody,
    trustedProxies: ['127.0.0.1'],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  const idempotency = closing.use(createIdempotency({ database, log }))
  await registerInterface(app, identity.interface, identity.addRoutes)
  await registerInterface(app, statusInterface, (routes) => {
    idempotency.watch(routes)
    addIncidentRoutes(routes, { incidents: desk.incidents, idempotency })
    addInterfaceUsageRoutes(routes, { database })
    addPublicPageRoutes(routes, {
      database,
      services: createServices({ database, config, prober }),
      history: createHistory({ database }),
      config,
      incidents: desk.incidents,
      settings,
      publicUrl,
      keepMs: 0,
    })
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = closing.move()
  const { signal } = new AbortController()

  return {
    url,
    database,
    identity,
    events,
    desk,
    find(states) {
      found = states
    },
    async round() {
      await prober.round(signal)
    },
    async advance() {
      await desk.tasks.find(({ name }) => name === 'status.maintenance')?.run(signal)
    },
    async call(path, { as = 'admin', method = 'GET', body, headers } = {}) {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(as !== 'itself' && { 'x-as': as }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      }
    },
    async eventsOf(type) {
      const page = await events.read({ after: 0, limit: 1000, types: [type] })
      return page.events
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function principalOf(name: string): Principal {
  if (name === '') return nobody
  const id = `00000000-0000-7000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`
  const permissions = name.startsWith('admin') ? ['administer llm', 'access content'] : ['access content']
  return { ...nobody, id, username: name, method: 'token', permissions: new Set(permissions) }
}
