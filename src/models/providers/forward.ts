import { type Dispatcher, request } from 'undici'
import type { ProtocolReader, Reading } from './protocols.ts'
import type { FinishReason, ModelPart, TokenUsage } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import type { ResponseTimeout } from './response-timeout.ts'
import { failureOfStatus, readErrorBody, readRetryAfter } from './status-failure.ts'

export interface ForwardOptions {
  /** The name of the provider for failure messages. */
  readonly label: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly key: string | undefined
  readonly body: string
  readonly stream: boolean
  /** The usage was requested for the gateway: the caller does not get it. */
  readonly hideUsage: boolean
  readonly reader: ProtocolReader
  /** The bound of a response without streaming. Default 64 MiB. */
  readonly maxBytes?: number
  readonly dispatcher: Dispatcher
  readonly timeout: ResponseTimeout
  readonly onHeaders: (read: (name: string) => string | null) => void
}

/** The last event of some protocols repeats the whole response, with its instructions and tools. */
const maxEventBytes = 4 * 1024 * 1024
const maxWholeBytes = 64 * 1024 * 1024
const maxErrorBytes = 64 * 1024
/** What a provider may send after the last event, and how long it may take to end the response, before the connection is closed. */
const drainLimits = { bytes: 1024, ms: 1000 }

/**
 * Sends a request of the caller to a provider with the same protocol, and yields its response as `raw` parts, then the end.
 * Throws a ProviderFailure for an error status, an invalid response, an error in the stream, and a stream without its end.
 */
export async function* forwardRequest(options: ForwardOptions): AsyncGenerator<ModelPart> {
  const { label, url, headers, key, body, stream, dispatcher, timeout, onHeaders } = options
  const response = await request(url, {
    method: 'POST',
    dispatcher,
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: timeout.signal,
  }).catch((error: unknown) => {
    throw timeout.signal.aborted ? timeout.signal.reason : unreachable(label, error)
  })
  const { statusCode: status } = response
  const headerOf = (name: string) => [response.headers[name]].flat()[0] ?? null
  onHeaders(headerOf)
  const chunks = readChunks(response.body, { label, timeout })
  if (status < 200 || status >= 300) {
    throw failureOfStatus({
      label,
      status,
      ...readErrorBody(parseJson(await readStart(chunks, maxErrorBytes))),
      retryAfterSeconds: readRetryAfter(headerOf('retry-after') ?? undefined),
      key,
    })
  }
  yield* stream && isEventStream(headerOf('content-type'))
    ? passEvents(chunks, options, () => drain(chunks, () => response.body.destroy()))
    : passWhole(chunks, options)
}

function isEventStream(contentType: string | null): boolean {
  return contentType?.startsWith('text/event-stream') ?? false
}

/** The chunks of a body. Only the time spent waiting for the provider counts for the timeout. */
async function* readChunks(
  body: Dispatcher.ResponseData['body'],
  { label, timeout }: Pick<ForwardOptions, 'label' | 'timeout'>,
): AsyncGenerator<Buffer> {
  const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await timeout.waitFor(chunks.next())
      if (done === true) return
      yield value
    }
  } catch (error) {
    if (timeout.signal.aborted) throw timeout.signal.reason
    throw new ProviderFailure({
      kind: 'unavailable',
      message: `${label} closed the connection in the middle of the response.`,
      cause: error,
    })
  } finally {
    // Without effect after the end; before it, closing the connection ends the work of the provider.
    body.destroy()
  }
}

/** What the end of a response has to report. */
interface Summary {
  usage: TokenUsage
  finish: FinishReason | undefined
}

const noUsage: TokenUsage = { inputTokens: null, cachedInputTokens: null, outputTokens: null }

/** A later count replaces an earlier one: some protocols report the input first and the output at the end. */
function addReading(summary: Summary, { usage, finish }: Reading): void {
  if (finish !== undefined) summary.finish = finish
  if (usage === undefined) return
  const known = summary.usage
  summary.usage = {
    inputTokens: usage.inputTokens ?? known.inputTokens,
    cachedInputTokens: usage.cachedInputTokens ?? known.cachedInputTokens,
    cacheWriteTokens: usage.cacheWriteTokens ?? known.cacheWriteTokens,
    outputTokens: usage.outputTokens ?? known.outputTokens,
  }
}

async function* passWhole(
  chunks: AsyncIterable<Buffer>,
  { label, reader, timeout, maxBytes = maxWholeBytes }: ForwardOptions,
): AsyncGenerator<ModelPart> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(label, 'a response')
    pieces.push(chunk)
  }
  const bytes = Buffer.concat(pieces)
  const reading = reader.readBytes === undefined ? readObject(bytes, reader) : reader.readBytes(bytes)
  if (reading === undefined) throw malformed(label)
  timeout.onFirstPart()
  yield { type: 'raw', bytes, outputBytes: reading.outputBytes }
  yield { type: 'end', finish: reading.finish ?? 'stop', usage: reading.usage ?? noUsage }
}

/** Reads the rest of a response after its last event, so that the connection can be reused. */
async function drain(chunks: AsyncIterable<Buffer>, close: () => void): Promise<void> {
  const late = setTimeout(close, drainLimits.ms)
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > drainLimits.bytes) return
    }
  } catch {
    // The response is complete, however the connection ends.
  } finally {
    clearTimeout(late)
  }
}

function readObject(bytes: Buffer, reader: ProtocolReader): Reading | undefined {
  const body = parseJson(bytes.toString('utf8'))
  return isRecord(body) ? reader.readWhole(body) : undefined
}

/** Passes on complete events, all of a chunk together. */
async function* passEvents(
  chunks: AsyncIterable<Buffer>,
  options: ForwardOptions,
  onEnd: () => Promise<void>,
): AsyncGenerator<ModelPart> {
  const { label, timeout } = options
  const summary: Summary = { usage: noUsage, finish: undefined }
  let pending: Buffer = empty
  for await (const chunk of chunks) {
    timeout.onActivity()
    const data: Buffer = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const end = endOfEvents(data)
    pending = data.subarray(end)
    if (pending.length > maxEventBytes) throw tooLarge(label, 'an event')
    if (end === 0) continue
    const { bytes, outputBytes, isEnd, failure } = readEvents(data.subarray(0, end), summary, options)
    // Without generated text before it, a failure may still lead to another candidate.
    if (bytes.length > 0 && (failure === undefined || outputBytes > 0)) {
      timeout.onFirstPart()
      yield { type: 'raw', bytes, outputBytes, usage: summary.usage }
    }
    if (failure !== undefined) throw failure
    if (!isEnd) continue
    yield endOf(summary)
    await onEnd()
    return
  }
  // Some compatible servers close the connection after the last event without marking the end.
  if (summary.finish === undefined || pending.some((byte) => byte > 32)) {
    throw new ProviderFailure({
      kind: 'malformed',
      message: `${label} ended the response without its last event.`,
    })
  }
  yield endOf(summary)
}

const endOf = ({ usage, finish = 'stop' }: Summary): ModelPart => ({ type: 'end', finish, usage })

const empty = Buffer.alloc(0)
const lineBreak = 10
const carriageReturn = 13

/** The position after the last complete event; an event ends with an empty line. */
function endOfEvents(data: Buffer): number {
  for (let at = data.lastIndexOf(lineBreak); at > 0; at = data.lastIndexOf(lineBreak, at - 1)) {
    const before = data[at - 1] === carriageReturn ? at - 2 : at - 1
    if (before >= 0 && data[before] === lineBreak) return at + 1
  }
  return 0
}

interface ReadEvents {
  /** The bytes to pass on: all of them, except hidden events and those from the failure on. */
  readonly bytes: Buffer
  readonly outputBytes: number
  readonly isEnd: boolean
  readonly failure?: ProviderFailure | undefined
}

function readEvents(data: Buffer, summary: Summary, options: ForwardOptions): ReadEvents {
  const events = data.toString('utf8').split(/(?<=\n\r?\n)/)
  const passed: string[] = []
  let outputBytes = 0
  let isEnd = false
  for (const event of events) {
    const content = dataOf(event)
    const reading = content === undefined ? comment : options.reader.readEvent(content)
    const failure = reading === undefined ? malformed(options.label) : failureIn(reading, options)
    if (reading === undefined || failure !== undefined) {
      return { bytes: Buffer.from(passed.join('')), outputBytes, isEnd, failure }
    }
    addReading(summary, reading)
    outputBytes += reading.outputBytes
    isEnd ||= reading.isEnd === true
    if (!options.hideUsage || reading.isUsageOnly !== true) passed.push(event)
  }
  const bytes = passed.length === events.length ? data : Buffer.from(passed.join(''))
  return { bytes, outputBytes, isEnd }
}

const comment: Reading = { outputBytes: 0 }

/** The failure that the provider reports in the place of a piece. */
function failureIn({ error }: Reading, { label, key }: ForwardOptions): ProviderFailure | undefined {
  if (error === undefined) return undefined
  const body = readErrorBody(error)
  return failureOfStatus({ label, status: statusOf(body.code), ...body, retryAfterSeconds: undefined, key })
}

/** The data of an event; undefined for a comment. */
function dataOf(event: string): string | undefined {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(line[5] === ' ' ? 6 : 5)).join('\n')
}

/** Errors in a stream have no status of their own. */
const statuses: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
}

function statusOf(code: string | undefined): number {
  return (code === undefined ? undefined : statuses[code]) ?? 500
}

async function readStart(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    pieces.push(chunk)
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(pieces).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unreachable(label: string, cause: unknown): ProviderFailure {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return new ProviderFailure({ kind: 'unavailable', message: `${label} cannot be reached${code}.`, cause })
}

function malformed(label: string): ProviderFailure {
  return new ProviderFailure({ kind: 'malformed', message: `${label} sent an invalid response.` })
}

function tooLarge(label: string, what: string): ProviderFailure {
  return new ProviderFailure({ kind: 'malformed', message: `${label} sent ${what} that is too large.` })
}
