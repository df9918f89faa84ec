import { fetchWithinRate } from './fetch-within-rate.ts'

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
}

type HeaderValues = Readonly<Record<string, string>>

export function createCalls({ urlOf, headersOf, as: usualCaller }: CallsOptions): Calls {
  const call: Calls['call'] = async (path, options = {}) => {
    const as = 'as' in options ? options.as : usualCaller
    const credential = as === undefined ? {} : await headersOf(as)
    return await send(urlOf(path), { ...options, headers: { ...credential, ...options.headers } })
  }
  return {
    call,
    post: (path, body, options = {}) => call(path, { ...options, method: 'POST', body }),
    put: (path, body, options = {}) => call(path, { ...options, method: 'PUT', body }),
    delete: (path, options = {}) => call(path, { ...options, method: 'DELETE' }),
  }
}

/** Sends a request, within the rate of reads, and reads the whole response. */
export async function send(
  url: string,
  { method = 'GET', body, headers }: Omit<CallOptions, 'as'> = {},
): Promise<Answer> {
  const response = await fetchWithinRate(url, {
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
