import { setTimeout as delay } from 'node:timers/promises'

/** A response that has been read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON, else the text. */
  readonly body: ReturnType<typeof JSON.parse>
}

export interface CallOptions {
  /** The account that sends the request, by name; `''` sends no credential, undefined leaves it to the headers. */
  readonly as?: string | undefined
  readonly method?: string
  /** Sent as JSON, unless it is a string already. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests to a platform. */
export interface Calls {
  readonly call: (path: string, options?: CallOptions) => Promise<Answer>
  readonly post: (path: string, body?: unknown, options?: CallOptions) => Promise<Answer>
  readonly put: (path: string, body: unknown, options?: CallOptions) => Promise<Answer>
  readonly delete: (path: string, options?: CallOptions) => Promise<Answer>
}

interface CallsOptions {
  /** The URL of a path. */
  readonly urlOf: (path: string) => string
  /** The headers that authenticate an account. */
  readonly headersOf: (name: string) => HeaderValues | Promise<HeaderValues>
  /** The account of requests that name none. */
  readonly as: string
  /** Whether a request is sent again that exceeds ten reads a second. */
  readonly waits?: boolean
}

type HeaderValues = Readonly<Record<string, string>>

export function createCalls({ urlOf, headersOf, as: usualCaller, waits = false }: CallsOptions): Calls {
  const call: Calls['call'] = async (path, options = {}) => {
    const as = 'as' in options ? options.as : usualCaller
    const credential = as === undefined ? {} : await headersOf(as)
    const answer = await send(urlOf(path), { ...options, headers: { ...credential, ...options.headers } })
    if (!waits || answer.status !== 429 || answer.headers.get('x-ratelimit-limit') !== '10') return answer
    await delay(Number(answer.headers.get('retry-after')) * 1000)
    return await call(path, options)
  }
  return {
    call,
    post: (path, body, options = {}) => call(path, { ...options, method: 'POST', body }),
    put: (path, body, options = {}) => call(path, { ...options, method: 'PUT', body }),
    delete: (path, options = {}) => call(path, { ...options, method: 'DELETE' }),
  }
}

/** Sends a request and reads the whole response. */
export async function send(
  url: string,
  { method = 'GET', body, headers }: Omit<CallOptions, 'as'> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  }
}
