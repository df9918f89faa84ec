import { setTimeout as pause } from 'node:timers/promises'
import { UserError } from '#kernel/errors'
import { askPlatform, type FoundPlatform, findPlatform, type PlatformOptions } from '../find-platform.ts'

interface CallOptions {
  readonly method?: string
  readonly body?: unknown
  /** The revision that the change is based on. */
  readonly ifMatch?: number
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Default: a minute. */
  readonly timeoutMs?: number
}

/** A client of the Workflows API of a platform. */
export interface PlatformApi {
  /** The URL of the platform and its console, without a trailing slash. */
  readonly url: string
  /** The options that lead another command to the same platform; empty, or with a space in front. */
  readonly flags: string
  /** Throws a PlatformError with the message of the platform when it rejects the request. */
  call<Body>(path: string, options?: CallOptions): Promise<Body>
  /** All entries of a list that has pages, up to `limit`. */
  list<Entry>(path: string, options: ListOptions): Promise<ListedEntries<Entry>>
  /** The id of the account that the key belongs to. */
  accountId(): Promise<string>
  /** The response with any status. */
  open(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>
}

interface ListOptions {
  /** The name of the list in the response, such as `flows`. */
  readonly entries: string
  readonly query?: CallOptions['query']
  readonly limit?: number
}

interface ListedEntries<Entry> {
  readonly entries: readonly Entry[]
  /** The number of entries on all pages. */
  readonly total: number
}

/** The platform rejected a request. */
export class PlatformError extends UserError {
  readonly status: number
  /** The error code of the platform, such as FLOW_CONFLICT; empty when the response had none. */
  readonly code: string
  readonly details: ErrorDetails

  constructor(
    message: string,
    { status, code, details }: Pick<PlatformError, 'status' | 'code' | 'details'>,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

interface ErrorDetails {
  readonly problems?: readonly { readonly path: string; readonly message: string }[]
  readonly suggestions?: readonly string[]
  readonly built_in?: boolean
}

interface ErrorBody {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly details?: ErrorDetails
  }
}

const workflows = '/ai-workflows/api'
const pageSize = 200
const defaultTimeoutMs = 60_000
/** An execution can have 64 MiB of outputs, which its response has in several places. */
const maxResponseBytes = 256 * 1024 * 1024
const maxWaits = 3
const maxWaitSeconds = 30

/** Connects to the platform that the options name. Throws a UserError when there is no address or no key. */
export async function connect(options: PlatformOptions): Promise<PlatformApi> {
  const found = await findPlatform(options)
  const { url, flags, authorization } = found

  function call<Body>(path: string, request: CallOptions = {}): Promise<Body> {
    return send<Body>(found, `${workflows}${path}`, request)
  }

  return {
    url,
    flags,
    call,
    async list<Entry>(
      path: string,
      { entries, query = {}, limit = Number.POSITIVE_INFINITY }: ListOptions,
    ): Promise<ListedEntries<Entry>> {
      const collected: Entry[] = []
      let asOf: string | undefined
      for (let page = 1; ; page += 1) {
        const body = await call<Record<string, unknown>>(path, {
          query: { ...query, limit: Math.min(pageSize, limit), page, as_of: asOf },
        })
        const received = body[entries] as readonly Entry[] | undefined
        if (received === undefined) throw new UserError(notPlatform(url, 200))
        const total = Number(body['total'])
        // Lists with the newest first need the newest entry of the first page, so that new entries do not move the pages.
        if (typeof body['as_of'] === 'string') asOf = body['as_of']
        collected.push(...received)
        if (received.length === 0 || collected.length >= Math.min(total, limit)) {
          return { entries: collected.slice(0, limit), total }
        }
      }
    },
    accountId: async () => (await send<{ readonly id: string }>(found, '/api/v1/user/profile', {})).id,
    open: (path, headers, signal) =>
      askPlatform(`${url}${workflows}${path}`, {
        headers: { authorization, ...headers },
        redirect: 'manual',
        signal,
      }),
  }
}

/**
 * Sends one request and reads its response. Waits up to three times when the platform is busy and says for how long: such a request
 * was not processed. Throws a PlatformError for any other rejection.
 */
export async function send<Body>(found: FoundPlatform, path: string, options: CallOptions): Promise<Body> {
  for (let waits = 0; ; waits += 1) {
    const answer = await ask(found, path, options)
    const { response } = answer
    if (response.ok && answer.body !== undefined) return answer.body as Body
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const isBusy = response.status === 429 || response.status === 503
    if (!isBusy || waits === maxWaits || !(seconds <= maxWaitSeconds)) throw rejection(found, answer)
    console.error(`tutti: the platform is busy; trying again in ${seconds} s.`)
    await pause(seconds * 1000)
  }
}

interface Answer {
  readonly response: Response
  readonly body: unknown
}

async function ask(
  { url, authorization }: FoundPlatform,
  path: string,
  { method = 'GET', body, ifMatch, query = {}, timeoutMs = defaultTimeoutMs }: CallOptions,
): Promise<Answer> {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value))
  const search = parameters.size === 0 ? '' : `?${parameters.toString()}`
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await askPlatform(`${url}${path}${search}`, {
      method,
      headers: {
        authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      },
      // Another host must not get what was meant for this one.
      redirect: 'manual',
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { response, body: parse(await readBounded(response, url)) }
  } catch (error) {
    if (error instanceof UserError) throw error
    if (signal.aborted)
      throw new UserError(`${url} did not answer within ${timeoutMs / 1000} s.`, { cause: error })
    throw new UserError(`The connection to ${url} broke off. Try again.`, { cause: error })
  }
}

async function readBounded(response: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxResponseBytes) throw new UserError(`The answer of ${url} is larger than 256 MB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Undefined: it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The message for a server that answers unlike a platform. */
export function notPlatform(url: string, status: number): string {
  return `What answers at ${url} with status ${status} is not a Tutti platform. Check the address.`
}

function rejection({ url, keySource }: FoundPlatform, { response, body }: Answer): UserError {
  const { status, headers } = response
  if (status >= 300 && status < 400) {
    const target = headers.get('location') ?? ''
    const other = URL.canParse(target, url) ? new URL(target, url).origin : 'another address'
    return new UserError(`${url} redirects to ${other}. If that is the platform, name it with --url.`)
  }
  const { error } = (body ?? {}) as ErrorBody
  if (error?.message === undefined) {
    return new UserError(notPlatform(url, status))
  }
  const details = error.details ?? {}
  const { problems = [], suggestions = [] } = details
  const seconds = headers.get('retry-after')
  const message = [
    error.message,
    ...(status === 401 ? [`The key is from ${keySource}.`] : []),
    ...(problems.length > 1 ? problems.map(({ path, message: what }) => `  ${path} ${what}`) : []),
    ...(suggestions.length > 0 ? [`Did you mean ${suggestions.join(' or ')}?`] : []),
    ...(status === 429 && seconds !== null ? [`Try again in ${seconds} s.`] : []),
  ].join('\n')
  return new PlatformError(message, { status, code: error.code ?? '', details })
}
