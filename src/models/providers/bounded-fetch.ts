import { type Dispatcher, request } from 'undici'
import { ProviderFailure } from './provider-failure.ts'

export interface BoundedFetchOptions {
  /** Begins the sentences of failures. */
  readonly who: string
  readonly dispatcher: Dispatcher
  /** `stream` bounds every line of the answer, `whole` all of it. */
  readonly answer: 'stream' | 'whole'
  /** Headers that must not be sent, in lower case. */
  readonly without: readonly string[]
  /** Looks at the body before it is sent; what it throws is thrown. */
  readonly checkBody: (body: Readonly<Record<string, unknown>>) => void
  /** Told of every piece that arrives. */
  readonly onBytes: () => void
  /** Told of the headers of every answer, errors included. */
  readonly onHeaders?: (headers: Headers) => void
}

const longestLineBytes = 1024 * 1024
const largestAnswerBytes = 256 * 1024 * 1024
const largestErrorBytes = 64 * 1024

/**
 * A fetch for the SDK. It follows no redirect, so a key is shown to nobody but the address it was meant for; asks for nothing
 * compressed; and holds no more of an answer than it must. Addresses come from the operator.
 */
export function createBoundedFetch(options: BoundedFetchOptions): typeof fetch {
  const { dispatcher, without, checkBody, onHeaders } = options
  return async (input, init) => {
    const text = typeof init?.body === 'string' ? init.body : '{}'
    checkBody(JSON.parse(text) as Record<string, unknown>)
    const headers = Object.fromEntries(new Headers(init?.headers))
    for (const name of without) delete headers[name]
    const answer = await request(typeof input === 'string' || input instanceof URL ? input : input.url, {
      method: 'POST',
      dispatcher,
      body: text,
      headers,
      signal: init?.signal ?? null,
    })
    const { statusCode: status } = answer
    const body =
      status === 204 || status === 205 || status === 304 ? null : boundBody(answer.body, status, options)
    const told = plainHeaders(answer.headers)
    onHeaders?.(told)
    return new Response(body, { status, headers: told })
  }
}

function boundBody(body: AsyncIterable<Buffer>, status: number, options: BoundedFetchOptions) {
  if (status >= 300) return ReadableStream.from(cutAfter(body, largestErrorBytes))
  return ReadableStream.from(
    options.answer === 'stream' ? boundLines(body, options) : boundWhole(body, options),
  )
}

/** The rest of an error is not worth waiting for. */
async function* cutAfter(body: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<Uint8Array> {
  let left = mostBytes
  for await (const chunk of body) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

async function* boundLines(
  body: AsyncIterable<Buffer>,
  { who, onBytes }: BoundedFetchOptions,
): AsyncGenerator<Uint8Array> {
  let lineBytes = 0
  for await (const chunk of body) {
    onBytes()
    const lastBreak = chunk.lastIndexOf(10)
    lineBytes = lastBreak === -1 ? lineBytes + chunk.length : chunk.length - lastBreak - 1
    if (lineBytes > longestLineBytes) throw tooMuch(who, 'a line without end')
    yield chunk
  }
}

async function* boundWhole(
  body: AsyncIterable<Buffer>,
  { who, onBytes }: BoundedFetchOptions,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    onBytes()
    bytes += chunk.length
    if (bytes > largestAnswerBytes) throw tooMuch(who, 'an answer without end')
    yield chunk
  }
}

function tooMuch(who: string, what: string): ProviderFailure {
  return new ProviderFailure({ kind: 'malformed', message: `${who} sent ${what}.` })
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const plain = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) plain.append(name, each)
  }
  return plain
}
