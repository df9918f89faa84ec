import { Failure } from '#kernel/errors'
import type { Outbound, OutboundResponse } from '#kernel/outbound'
import { refuseTokenUrl } from './check-connection.ts'
import type { Connection } from './connection.ts'
import { connectionsFailure } from './errors.ts'

/** Access tokens of the OAuth 2.0 client credentials grant. */
export interface OAuthTokens {
  /**
   * A token of the connection, cached until a minute before it expires. `stale` is a token that the API refused: it is not returned again.
   * Throws `token_request_failed` or `token_request_failed_for_now`, or the reason of the signal.
   */
  read(
    connection: Connection,
    clientSecret: string,
    options: { readonly stale?: string | undefined; readonly signal: AbortSignal },
  ): Promise<{ readonly token: string; readonly cached: boolean }>
}

interface Token {
  readonly token: string
  readonly expiresAtMs: number
}

/** A token is not used in its last minute: it would expire while a request is on its way. */
const marginMs = 60_000
/** The lifetime of a token whose response does not say it. */
const defaultLifetimeMs = 5 * 60_000
const timeoutMs = 15_000
const maxResponseBytes = 65_536
const maxCached = 2000

/** Creates the token cache of this process. Does not throw. */
export function createOAuthTokens(outbound: Pick<Outbound, 'request'>): OAuthTokens {
  const cached = new Map<string, Token>()
  const requested = new Map<string, Promise<Token>>()

  function remember(key: string, token: Token): void {
    cached.delete(key)
    cached.set(key, token)
    const [oldest] = cached.keys()
    if (cached.size > maxCached && oldest !== undefined) cached.delete(oldest)
  }

  /** One request at a time for each connection. It has its own timeout: one caller that gives up must not fail the others. */
  function request(key: string, connection: Connection, clientSecret: string): Promise<Token> {
    const running = requested.get(key)
    if (running !== undefined) return running
    const started = requestToken(outbound, connection, clientSecret)
      .then((token) => {
        remember(key, token)
        return token
      })
      .finally(() => requested.delete(key))
    requested.set(key, started)
    return started
  }

  return {
    async read(connection, clientSecret, { stale, signal }) {
      // A change of the connection makes another key, so a token of its earlier settings is not used again.
      const key = `${connection.id} ${connection.revision}`
      const known = cached.get(key)
      if (known !== undefined && known.token !== stale && known.expiresAtMs - marginMs > Date.now())
        return { token: known.token, cached: true }
      const { token } = await raceSignal(request(key, connection, clientSecret), signal)
      return { token, cached: false }
    },
  }
}

async function raceSignal<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function requestToken(
  outbound: Pick<Outbound, 'request'>,
  { accountId, settings, allowedHosts }: Connection,
  clientSecret: string,
): Promise<Token> {
  const { token_url: url = '', client_id = '', scopes = [], audience, client_authentication } = settings
  // Earlier releases stored token endpoints with http.
  const refusal = refuseTokenUrl(url, allowedHosts)
  if (refusal !== undefined)
    throw connectionsFailure('token_request_failed', {
      message: `The token request was not sent: settings.token_url ${refusal}.`,
      details: { reason: 'not_encrypted' },
    })
  const inBody = client_authentication === 'body'
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(audience !== undefined && { audience }),
    ...(inBody && { client_id, client_secret: clientSecret }),
  })
  const requestedAtMs = Date.now()
  const response = await outbound
    .request(url, {
      account: accountId,
      method: 'POST',
      timeoutMs,
      maxResponseBytes,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(!inBody && { authorization: basicOf(client_id, clientSecret) }),
      },
      body: body.toString(),
    })
    .catch((error: unknown) => {
      throw error instanceof Failure ? explain(error) : error
    })
  return readToken(response, requestedAtMs)
}

/** RFC 6749 wants id and secret form-encoded before they are joined. */
function basicOf(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${formEncode(id)}:${formEncode(secret)}`).toString('base64')}`
}

function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

function explain(failure: Failure): Failure {
  return connectionsFailure(failure.retryable ? 'token_request_failed_for_now' : 'token_request_failed', {
    message: `The token request failed: ${failure.message}`,
    details: { reason: failure.code },
    cause: failure,
  })
}

function readToken({ status, body }: OutboundResponse, requestedAtMs: number): Token {
  const answer = readJson(body)
  const { access_token: token, token_type: type, expires_in: seconds } = answer
  if (status !== 200 || typeof token !== 'string' || token === '') throw refused(status, answer)
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') {
    throw connectionsFailure('token_request_failed', {
      message: `The token endpoint returned a token of type ${type.slice(0, 50)}; only bearer tokens can be used.`,
      details: { status },
    })
  }
  const lifetimeMs = Number(seconds) > 0 ? Number(seconds) * 1000 : defaultLifetimeMs
  return { token, expiresAtMs: requestedAtMs + lifetimeMs }
}

function refused(status: number, { error }: Readonly<Record<string, unknown>>): Failure {
  const isTransient = status === 429 || status >= 500
  // The codes of RFC 6749, such as invalid_client; nothing else of the response, which may repeat the credentials.
  const code = typeof error === 'string' && /^[a-z_]{1,50}$/.test(error) ? error : undefined
  return connectionsFailure(isTransient ? 'token_request_failed_for_now' : 'token_request_failed', {
    message: `The token endpoint responded with status ${status}${code === undefined ? '' : ` and the error ${code}`}, without an access token.`,
    details: { status, ...(code !== undefined && { error: code }) },
  })
}

function readJson(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
