import { send } from '../support/calls.ts'
import { freshAddress, type IdentityServer, type NewAccount } from './identity-server.ts'

export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

interface Call {
  readonly as?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The error body of this API. */
export interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly problems?: readonly { readonly path: string; readonly code: string }[]
  }
}

/** An account, as administrators see it. */
export interface UserBody {
  readonly id: string
  readonly username: string
  readonly email: string | null
  readonly display_name: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  readonly tier: string
  readonly disabled: boolean
  readonly disabled_at: string | null
  readonly last_login_at: string | null
}

/** An API key, as it is listed. */
export interface ApiKeyBody {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[] | null
  readonly user_id: string
  readonly username: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly limits: Readonly<Record<string, unknown>> | null
}

/** A page of a list. */
export interface ListBody<Item> {
  readonly data: readonly Item[]
  readonly total: number
}

/** Calls a route with JSON: `call(server, 'POST /api/v1/users', { as, body })`. */
export async function call<Body = ErrorBody>(
  server: IdentityServer,
  route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  { as = {}, body }: Call = {},
): Promise<Answer<Body>> {
  const [method = '', path = ''] = route.split(' ')
  const json = body === undefined ? undefined : JSON.stringify(body)
  const { status, headers, text } = await send(server.url + path, { method, body: json, headers: as })
  return { status, headers, body: (text === '' ? undefined : JSON.parse(text)) as Body }
}

export interface Tokens {
  readonly token: string
  readonly refreshToken: string
  readonly expiresIn: number
}

/** Signs in for tokens, from a new address. */
export async function login(
  server: IdentityServer,
  { username, password }: Pick<NewAccount, 'username' | 'password'>,
): Promise<Tokens> {
  const answer = await call<Tokens>(server, 'POST /api/v1/auth/login', {
    as: { 'x-forwarded-for': freshAddress() },
    body: { username, password },
  })
  if (answer.status !== 200) throw new Error(`${username} could not sign in: ${answer.status}`)
  return answer.body
}

export function bearer(credential: string): { authorization: string } {
  return { authorization: `Bearer ${credential}` }
}

/** The headers that a signed-in page sends with a write. */
export function browser({ cookie, csrfToken }: { readonly cookie: string; readonly csrfToken: string }) {
  return { cookie, 'x-csrf-token': csrfToken }
}
