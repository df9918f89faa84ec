import { createHash, randomBytes } from 'node:crypto'
import {
  addAccount,
  freshAddress,
  type IdentityServer,
  type NewAccount,
  openSession,
} from './identity-server.ts'
import { locationOf, type Person, Visitor } from './oauth-visitor.ts'

export interface RegisteredClient {
  readonly client_id: string
  readonly client_secret: string
  readonly redirect_uris: readonly string[]
  readonly scopes: readonly string[]
  readonly grant_types: readonly string[]
  readonly public: boolean
}

/** The default client of the tests. */
const usualClient = {
  name: 'Score reader',
  redirect_uris: ['https://app.example/callback'],
  scopes: ['models.read', 'models.generate'],
  grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
}

let people = 0

/** A new account, signed in with a browser. */
export async function addPerson(server: IdentityServer, options: Partial<NewAccount> = {}): Promise<Person> {
  people += 1
  const account = { username: `person-${people}`, password: 'tutti e soli', ...options }
  const id = await addAccount(server.database, account)
  return { ...account, id, session: await openSession(server, account) }
}

/** The headers with which a page of the console writes. */
function asPage({ session }: Person): Record<string, string> {
  return { cookie: session.cookie, 'x-csrf-token': session.csrfToken }
}

/** Calls the API as the browser of a user. */
export function callAs(
  server: IdentityServer,
  person: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: { ...asPage(person), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Registers a client of this person. A public one has the empty secret. */
export async function registerClient(
  server: IdentityServer,
  owner: Person,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<RegisteredClient> {
  const body =
    settings['public'] === true ? { ...usualClient, grant_types: ['authorization_code'] } : usualClient
  const answer = await callAs(server, owner, 'POST', '/api/v1/oauth-clients', { ...body, ...settings })
  if (answer.status !== 201) throw new Error(`the client was not registered: ${await answer.text()}`)
  const registered = (await answer.json()) as Omit<RegisteredClient, 'client_secret'> & {
    client_secret?: string
  }
  return { ...registered, client_secret: registered.client_secret ?? '' }
}

export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

export function makePkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The authorization URL of an application. Undefined parameters are omitted. */
export function authorizeUrl(
  server: IdentityServer,
  client: RegisteredClient,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const asked = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: client.redirect_uris[0],
    ...parameters,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, value)
  return `${server.url}/oauth/authorize?${query.toString()}`
}

/** Follows an authorization until it shows a page or redirects to the application. */
export async function follow(visitor: Visitor, url: string): Promise<Response> {
  const { origin } = new URL(url)
  let answer = await visitor.get(url)
  while (answer.status === 303 && locationOf(answer).origin === origin) {
    answer = await visitor.get(locationOf(answer).href)
  }
  return answer
}

/** Submits the open consent page, and follows the redirects. */
export async function decide(
  visitor: Visitor,
  page: Response,
  decision: 'approve' | 'deny',
  csrfToken?: string,
): Promise<Response> {
  const text = await page.text()
  const action = /action="(\/oauth\/consent\/[^"/]+)"/.exec(text)?.[1]
  const token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1]
  if (action === undefined || token === undefined) throw new Error(`no consent page: ${text}`)
  const answer = await visitor.post(new URL(action, page.url).href, {
    decision,
    csrf_token: csrfToken ?? token,
  })
  return answer.status === 303 ? await follow(visitor, locationOf(answer).href) : answer
}

/** Runs an authorization with consent, and returns its last URL. */
export async function authorize(
  server: IdentityServer,
  person: Person,
  client: RegisteredClient,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Promise<URL> {
  const visitor = new Visitor(server, person)
  const first = await follow(visitor, authorizeUrl(server, client, parameters))
  return locationOf(first.status === 200 ? await decide(visitor, first, 'approve') : first)
}

/** The code of a successful authorization. */
export async function getCode(
  server: IdentityServer,
  person: Person,
  client: RegisteredClient,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const landed = await authorize(server, person, client, parameters)
  const code = landed.searchParams.get('code')
  if (code === null) throw new Error(`no code: ${landed.href}`)
  return code
}

export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
  readonly error: string
  readonly error_description: string
}

/** Sends a form to a client endpoint, from a new address. */
export function sendForm(
  server: IdentityServer,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'x-forwarded-for': freshAddress(), ...headers },
    body: new URLSearchParams(fields),
  })
}

/** The form fields that authenticate a client. */
export function proofOf({ client_id, client_secret }: RegisteredClient): Record<string, string> {
  return client_secret === '' ? { client_id } : { client_id, client_secret }
}

export function redeem(
  server: IdentityServer,
  client: RegisteredClient,
  code: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return sendForm(server, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirect_uris[0] ?? '',
    ...proofOf(client),
    ...fields,
  })
}

export function refresh(
  server: IdentityServer,
  client: RegisteredClient,
  refreshToken: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return sendForm(server, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...proofOf(client),
    ...fields,
  })
}

export function getClientToken(
  server: IdentityServer,
  client: RegisteredClient,
  fields: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return sendForm(server, '/oauth/token', {
    grant_type: 'client_credentials',
    ...proofOf(client),
    ...fields,
  })
}

/** The tokens after a user has authorized a client. */
export async function getTokens(
  server: IdentityServer,
  person: Person,
  client: RegisteredClient,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Promise<TokenAnswer> {
  return await tokensOf(await redeem(server, client, await getCode(server, person, client, parameters)))
}

export async function tokensOf(answer: Response): Promise<TokenAnswer> {
  return (await answer.json()) as TokenAnswer
}

/** Reads the profile with an access token, the simplest check of its validity. */
export function tryToken(server: IdentityServer, accessToken: string): Promise<Response> {
  return fetch(`${server.url}/api/v1/user/profile`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
}

export async function worksAt(server: IdentityServer, accessToken: string): Promise<boolean> {
  return (await tryToken(server, accessToken)).status === 200
}
