import { type Dispatcher, request } from 'undici'
import { ProviderFailure } from './provider-failure.ts'

export interface BoundedFetchOptions {
  /** The name of the provider for failure messages. */
  readonly label: string
  readonly dispatcher: Dispatcher
  /** `stream` bounds each line of the response, `whole` the whole response. */
  readonly mode: 'stream' | 'whole'
  /** Headers to remove from the request, in lower case. */
  readonly without: readonly string[]
  /** Returns the body to send in place of the one of the SDK. May throw. */
  readonly prepareBody: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Called for every chunk that arrives. */
  readonly onBytes: () => void
  /** Called with the headers of every response, errors included. */
  readonly onHeaders?: (headers: Headers) => void
}

const maxLineBytes = 1024 * 1024
const maxResponseBytes = 256 * 1024 * 1024
const maxErrorBytes = 64 * 1024

/**
 * A fetch for the SDK. It follows no redirects, so that the API key is sent to the configured address only, requests no
 * compression and bounds the size of responses.
 */
export function createBoundedFetch(options: BoundedFetchOptions): typeof fetch {
  const { dispatcher, without, prepareBody, onHeaders } = options
  return async (input, init) => {
    const text = typeof init?.body === 'string' ? init.body : '{}'
    const body = JSON.parse(text) as Record<string, unknown>
    const prepared = prepareBody(body)
    const headers = Object.fromEntries(new Headers(init?.headers))
    for (const name of without) delete headers[name]
    const response = await request(typeof input === 'string' || input instanceof URL ? input : input.url, {
      method: 'POST',
      dispatcher,
      body: prepared === body ? text : JSON.stringify(prepared),
      headers,
      signal: init?.signal ?? null,
    })
    const { statusCode: status } = response
    const stream =
      status === 204 || status === 205 || status === 304 ? null : boundBody(response.body, status, options)
    const received = plainHeaders(response.headers)
    onHeaders?.(received)
    return new Response(stream, { status, headers: received })
  }
}

function boundBody(body: AsyncIterable<Buffer>, status: number, options: BoundedFetchOptions) {
  if (status >= 300) return ReadableStream.from(cutAfter(body, maxErrorBytes))
  return ReadableStream.from(
    options.mode === 'stream' ? boundLines(body, options) : boundWhole(body, options),
  )
}

/** The first bytes of an error are enough for its message. */
async function* cutAfter(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let left = maxBytes
  for await (const chunk of body) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

async function* boundLines(
  body: AsyncIterable<Buffer>,
  { label, onBytes }: BoundedFetchOptions,
): AsyncGenerator<Uint8Array> {
  let lineBytes = 0
  for await (const chunk of body) {
    onBytes()
    const lastBreak = chunk.lastIndexOf(10)
    lineBytes = lastBreak === -1 ? lineBytes + chunk.length : chunk.length - lastBreak - 1
    if (lineBytes > maxLineBytes) throw tooLarge(label, 'a line')
    yield chunk
  }
}

async function* boundWhole(
  body: AsyncIterable<Buffer>,
  { label, onBytes }: BoundedFetchOptions,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    onBytes()
    bytes += chunk.length
    if (bytes > maxResponseBytes) throw tooLarge(label, 'a response')
    yield chunk
  }
}

function tooLarge(label: string, what: string): ProviderFailure {
  return new ProviderFailure({ kind: 'malformed', message: `${label} sent ${what} that is too large.` })
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const plain = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) plain.append(name, each)
  }
  return plain
}
