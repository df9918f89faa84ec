import { once } from 'node:events'
import { hash } from '@node-rs/argon2'
import { createIdentity, type Identity, identitySettings } from '#identity'
import { readSettings } from '#kernel/config'
import type { Database } from '#kernel/database'
import { createEvents, type Events, type StoredEvent } from '#kernel/events'
import {
  closeHttpServer,
  createHttpServer,
  type HttpServer,
  registerInterface,
  type StreamMessage,
  sendEventStream,
} from '#kernel/http'
import { createLimiter } from '#kernel/limits'
import { createLogger, createMetrics, type Metrics, startTracing } from '#kernel/telemetry'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

export interface IdentityServer extends AsyncDisposable {
  readonly url: string
  readonly database: TestDatabase
  readonly events: Events
  readonly metrics: Metrics
  readonly identity: Identity
  readonly app: HttpServer
}

/** What a test adds to the settings of the environment. */
type Environment = Readonly<Record<string, string>>

/** Identity on a real server, behind a proxy on this machine, with routes that stand for the rest of the platform. */
export async function startIdentityServer(environment: Environment = {}): Promise<IdentityServer> {
  const database = await createTestDatabase()
  const server = await startIdentityServerOn(database, environment)
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await database.close()
    },
  }
}

/** One more replica on a database that is there; the caller closes the database. */
export async function startIdentityServerOn(
  database: TestDatabase,
  environment: Environment = {},
): Promise<IdentityServer> {
  // Loaded before it runs: the first request that needs it would hold up all others on a busy machine.
  await import('oidc-provider')
  const metrics = createMetrics({ watchProcess: false })
  const events = createEvents({ database, log, metrics })
  const settings = readSettings(identitySettings, environment)
  const limiter = createLimiter({ database, log, metrics })
  const identity = await createIdentity({ database, events, limiter, log, metrics, settings })
  const app = await createHttpServer({
    log,
    metrics,
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackInterface: identity.interface,
    authenticate: identity.authenticate,
    anonymous: identity.anonymous,
    limiter,
    trustedProxies: ['127.0.0.1'],
    version: '0.0.0',
  })
  await registerInterface(app, identity.interface, (routes) => {
    identity.addRoutes(routes)
    addTestRoutes(routes)
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    database,
    events,
    metrics,
    identity,
    app,
    async [Symbol.asyncDispose]() {
      await closeHttpServer(app, 1000)
      await identity[Symbol.asyncDispose]()
      await limiter.close()
      await events.close()
    },
  }
}

function addTestRoutes(routes: HttpServer): void {
  routes.get('/api/v1/content', { config: { access: { permission: 'access content' } } }, async (request) => {
    const { id, method, roles, permissions } = request.principal
    return { id, method, roles, permissions: [...permissions] }
  })
  routes.get('/api/v1/news', { config: { access: { signedIn: true } } }, (request, reply) =>
    sendEventStream(request, reply, { heartbeatMs: 50, messages: untilAborted }),
  )
  routes.post(
    '/api/v1/feedback',
    { config: { access: { permission: 'access content' }, csrfToken: 'always' } },
    async () => ({}),
  )
  routes.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/v1/content',
    config: { access: { signedIn: true } },
    handler: async (request) => ({ written_by: request.principal.username }),
  })
}

/** A source with no news, as long as somebody listens. */
async function* untilAborted(signal: AbortSignal): AsyncGenerator<StreamMessage> {
  await once(signal, 'abort')
  yield { data: 'too late for anybody' }
}

export interface NewAccount {
  readonly username: string
  readonly password: string
  readonly roles?: readonly string[]
}

/** Puts an account into the tables and answers its id. */
export async function addAccount(
  database: Database,
  { username, password, roles = [] }: NewAccount,
): Promise<string> {
  const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const [row] = await database.query<{ id: string }>(
    `
      with created as (
        insert into identity_users (username, username_key, display_name, password_hash)
        values ($1, $2, $1, $3)
        returning id
      ),
      granted as (
        insert into identity_user_roles (user_id, role)
        select created.id, role from created, unnest($4::text[]) as role
      )
      select id from created
    `,
    [username, username.toLowerCase(), passwordHash, roles],
  )
  if (row === undefined) throw new Error('the account was not created')
  return row.id
}

let nextAddress = 1

/** An address no other test has used, so that limits of one test do not reach another. */
export function freshAddress(): string {
  nextAddress += 1
  return `10.0.${nextAddress >> 8}.${nextAddress & 255}`
}

export interface SignInOptions {
  readonly ip?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Signs in with JSON from an address of its own. */
export function signIn(
  server: IdentityServer,
  credentials: unknown,
  { ip = freshAddress(), headers = {} }: SignInOptions = {},
): Promise<Response> {
  return fetch(`${server.url}/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip, ...headers },
    body: JSON.stringify(credentials),
  })
}

/** Signs in as a browser does with the form. */
export function signInByForm(
  server: IdentityServer,
  fields: Readonly<Record<string, string>> | URLSearchParams,
  { ip = freshAddress(), headers = {} }: SignInOptions = {},
): Promise<Response> {
  return fetch(`${server.url}/user/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': ip, ...headers },
    body: new URLSearchParams(fields),
  })
}

export interface BrowserSession {
  readonly cookie: string
  readonly csrfToken: string
  readonly userId: string
}

/** Signs in and keeps what a browser would. */
export async function openSession(server: IdentityServer, credentials: NewAccount): Promise<BrowserSession> {
  const answer = await signIn(server, { username: credentials.username, password: credentials.password })
  const body = (await answer.json()) as { user: { id: string }; csrf_token: string }
  return { cookie: cookieOf(answer), csrfToken: body.csrf_token, userId: body.user.id }
}

/** The `SESS=…` of an answer, as the next request sends it. */
export function cookieOf(answer: Response): string {
  return setCookieOf(answer).split(';', 1)[0] ?? ''
}

export function setCookieOf(answer: Response): string {
  return answer.headers.getSetCookie().find((cookie) => cookie.startsWith('SESS=')) ?? ''
}

export function basic(username: string, password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

export async function errorCode(answer: Response): Promise<string> {
  const body = (await answer.json()) as { error: { code: string; message: string } }
  return body.error.code
}

export async function eventsOf(server: IdentityServer, type: string): Promise<readonly StoredEvent[]> {
  const { events } = await server.events.read({ after: 0, limit: 1000, types: [type] })
  return events
}

/** How many passwords have been computed so far. */
export async function countHashes({ metrics }: IdentityServer): Promise<number> {
  const { values } = await metrics.counter({ name: 'identity_password_hashes_total', help: '' }).get()
  return values[0]?.value ?? 0
}
