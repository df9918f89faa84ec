import { once } from 'node:events'
import type { StoredEvent } from '#kernel/events'
import {
  type HttpServer,
  plainErrorFormat,
  registerApi,
  type StreamMessage,
  sendEventStream,
} from '#kernel/http'
import type { NewAccount } from '../support/accounts.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

export { addAccount, type NewAccount } from '../support/accounts.ts'

export type IdentityServer = Pick<
  PlatformInProcess,
  'url' | 'database' | 'events' | 'metrics' | 'identity' | 'app' | typeof Symbol.asyncDispose
>

/** Settings that a test changes. */
type Environment = Readonly<Record<string, string>>

/** A platform without accounts, behind a proxy on this machine, with routes that need a permission or a sign-in. */
export async function startIdentityServer(
  environment: Environment = {},
  database?: TestDatabase,
): Promise<IdentityServer> {
  // Loaded first: loading it in a request would delay all others on a busy machine.
  await import('oidc-provider')
  return await openPlatform(
    { TRUSTED_PROXIES: '127.0.0.1', ...environment },
    { role: 'api', seed: false, addRoutes: addTestRoutes, database },
  )
}

let shared: Promise<IdentityServer> | undefined

/**
 * The same for all files of a worker that use only accounts of their own, named by `addPerson`. The process of the worker closes it:
 * a file that opens one of its own spends half a second of processor time on that.
 */
export async function shareIdentityServer(): Promise<IdentityServer> {
  const server = await (shared ??= startIdentityServer())
  return { ...server, [Symbol.asyncDispose]: async () => {} }
}

/** A platform whose clock of the database `advance` moves on. */
export async function startIdentityServerWithClock(): Promise<
  IdentityServer & { readonly advance: (ms: number) => void }
> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  let aheadMs = 0
  const clock = { ...database.clock, now: () => new Date(Date.now() + aheadMs) }
  const server = closing.use(await startIdentityServer({}, { ...database, clock }))
  const opened = closing.move()
  return {
    ...server,
    advance: (ms) => void (aheadMs += ms),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** One more replica on a database; the caller closes the database. */
export function startIdentityServerOn(
  database: TestDatabase,
  environment: Environment = {},
): Promise<IdentityServer> {
  return startIdentityServer(environment, database)
}

const testInterface = {
  ...plainErrorFormat,
  name: 'test',
  title: 'Test',
  version: '1.0.0',
  description: 'Routes of the tests.',
  prefixes: ['/api/v1/content', '/api/v1/news', '/api/v1/feedback'],
}

async function addTestRoutes(app: HttpServer): Promise<void> {
  await registerApi(app, testInterface, (routes) => {
    routes.get(
      '/api/v1/content',
      { config: { access: { permission: 'access content' } } },
      async (request) => {
        const { id, method, roles, permissions } = request.principal
        return { id, method, roles, permissions: [...permissions] }
      },
    )
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
  })
}

/** A source without events, as long as it has a listener. */
async function* untilAborted(signal: AbortSignal): AsyncGenerator<StreamMessage> {
  await once(signal, 'abort')
  yield { data: 'too late for anybody' }
}

let nextAddress = 1

/** An address that no other test uses, so that rate limits do not interfere. */
export function freshAddress(): string {
  nextAddress += 1
  return `10.0.${nextAddress >> 8}.${nextAddress & 255}`
}

export interface SignInOptions {
  readonly ip?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Signs in with JSON from a new address. */
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

/** Signs in and keeps the cookie and the token. */
export async function openSession(server: IdentityServer, credentials: NewAccount): Promise<BrowserSession> {
  const answer = await signIn(server, { username: credentials.username, password: credentials.password })
  const body = (await answer.json()) as { user: { id: string }; csrf_token: string }
  return { cookie: cookieOf(answer), csrfToken: body.csrf_token, userId: body.user.id }
}

/** The `SESS=…` cookie of a response. */
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

/** The number of computed password hashes. */
export async function countHashes({ metrics }: IdentityServer): Promise<number> {
  const { values } = await metrics.counter({ name: 'identity_password_hashes_total', help: '' }).get()
  return values[0]?.value ?? 0
}
