import { type Cluster, createClusterDesk } from '#cluster'
import { createIdentity, identitySettings } from '#identity'
import { readSettings } from '#kernel/config'
import { createEvents, type Events, type StoredEvent } from '#kernel/events'
import { closeHttpServer, createHttpServer, registerInterface } from '#kernel/http'
import { createLimiter } from '#kernel/limits'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { addAccount, basic } from './identity-server.ts'

const log = createLogger({ level: 'silent', format: 'json' })

export interface DeskOptions {
  /** The cluster in the same process, or where to find one. */
  readonly cluster: Cluster | string
  readonly apiKey?: string
  readonly timeoutMs?: number
}

interface Call {
  /** Who asks; the operator unless told otherwise. */
  readonly as?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The desk behind identity, as on the platform, with people who may do different things. */
export interface DeskServer extends AsyncDisposable {
  readonly url: string
  readonly database: TestDatabase
  readonly events: Events
  readonly people: Readonly<Record<'operator' | 'watcher' | 'guest', Person>>
  send(method: string, path: string, call?: Call): Promise<Response>
  /** What operators did, the oldest first. */
  operations(): Promise<readonly StoredEvent[]>
}

interface Person {
  readonly id: string
  readonly credentials: { readonly username: string; readonly password: string }
  readonly headers: Readonly<Record<string, string>>
}

const permissionOf = { operator: 'administer cluster', watcher: 'administer llm', guest: undefined } as const

export async function startDeskServer({ cluster, apiKey, timeoutMs }: DeskOptions): Promise<DeskServer> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  const metrics = createMetrics({ watchProcess: false })
  const events = closing.use(createEvents({ database, log, metrics }))
  const limiter = closing.use(createLimiter({ database, log, metrics }))
  const settings = readSettings(identitySettings, {})
  const identity = closing.use(await createIdentity({ database, events, limiter, log, metrics, settings }))
  const desk = closing.use(
    createClusterDesk({
      cluster: typeof cluster === 'string' ? undefined : cluster,
      elsewhere: { url: typeof cluster === 'string' ? cluster : '', apiKey },
      events,
      log,
      ...(timeoutMs !== undefined && { timeoutMs }),
    }),
  )
  const app = await createHttpServer({
    log,
    metrics,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackInterface: identity.interface,
    authenticate: identity.authenticate,
    anonymous: identity.anonymous,
    limiter,
    trustedProxies: [],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  await registerInterface(app, identity.interface, identity.addRoutes)
  await registerInterface(app, desk.interface, desk.addRoutes)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const people = {
    operator: await addPerson(database, 'operator'),
    watcher: await addPerson(database, 'watcher'),
    guest: await addPerson(database, 'guest'),
  }
  const opened = closing.move()
  return {
    url,
    database,
    events,
    people,
    send: (method, path, { as = people.operator.headers, body } = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: { ...as, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async operations() {
      const stored = await events.readNewest({ limit: 100 })
      return stored.filter(({ type }) => type.startsWith('cluster.'))
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function addPerson(database: TestDatabase, name: keyof typeof permissionOf): Promise<Person> {
  const credentials = { username: name, password: `the baton of the ${name}` }
  const permission = permissionOf[name]
  const roles = permission === undefined ? [] : [`is_${name}`]
  if (permission !== undefined) {
    await database.query('insert into identity_roles (name, label, permissions) values ($1, $1, $2)', [
      `is_${name}`,
      [permission],
    ])
  }
  const id = await addAccount(database, { ...credentials, roles })
  return { id, credentials, headers: basic(credentials.username, credentials.password) }
}
