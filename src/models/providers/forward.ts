import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { JsonPieces } from '#kernel/http'
import type { ProtocolReader, Reading } from './protocols.ts'
import type { ModelPart, TokenUsage } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import { type EventRules, endOfEvents, readEvents, type Summary } from './read-events.ts'
import type { TimeoutLimits } from './response-timeout.ts'
import { failureOfStatus, readErrorBody, readRetrySeconds } from './status-failure.ts'

/** A request for a provider. */
interface PreparedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly key: string | undefined
  readonly body: string | JsonPieces
  /** The usage was requested for the gateway: the caller does not get it. */
  readonly hideUsage: boolean
}

export interface ForwardOptions {
  /** The name of the provider for failure messages. */
  readonly label: string
  readonly origin: string
  readonly prepare: () => Promise<PreparedRequest>
  readonly stream: boolean
  readonly reader: ProtocolReader
  /** The bound of a response without streaming. Default 64 MiB. */
  readonly maxBytes?: number | undefined
  readonly dispatcher: Dispatcher
  readonly limits: TimeoutLimits
  readonly signal: AbortSignal
  readonly onHeaders: (read: (name: string) => string | null) => void
}

/** The last event of some protocols repeats the whole response, with its instructions and tools. */
const maxEventBytes = 4 * 1024 * 1024
const maxWholeBytes = 64 * 1024 * 1024
const maxErrorBytes = 64 * 1024
/** With more than this, the connection rests until the consumer asks for the next part. */
const maxQueuedBytes = 64 * 1024
/** What a provider may send after the last event, and how long it may take to end the response, before the connection is closed. */
const drainLimits = { bytes: 1024, ms: 1000 }

const noUsage: TokenUsage = { inputTokens: null, cachedInputTokens: null, outputTokens: null }
const empty = Buffer.alloc(0)
const finished = { done: true, value: undefined } as const

/**
 * Sends a request of the caller to a provider with the same protocol. Iterating yields the response as `raw` parts, then the end,
 * and throws a ProviderFailure for an error status, an invalid response, an error in the stream, and a stream without its end.
 *
 * | state    | on                                     | then                                                  | next     |
 * |----------|----------------------------------------|-------------------------------------------------------|----------|
 * | waiting  | a status of success, a stream          |                                                       | events   |
 * | waiting  | a status of success, else              |                                                       | whole    |
 * | waiting  | another status                         |                                                       | error    |
 * | events   | complete events                        | a `raw` part                                          | events   |
 * | events   | the last event                         | the end; the connection can be reused                 | draining |
 * | events   | the response ends without that event   | the end if a reason to finish came, else a failure    | closed   |
 * | whole    | the response ends                      | one `raw` part and the end                            | closed   |
 * | error    | the response ends, or 64 KiB           | the failure that it describes                         | closed   |
 * | draining | the response ends                      |                                                       | closed   |
 * | draining | more than 1 KiB, or 1 s                | the connection is closed                              | closed   |
 * | any      | a timeout, an abort, a broken connection | the failure; the connection is closed               | closed   |
 * | any      | the consumer leaves                    | the connection is closed                              | closed   |
 *
 * The provider calls back for every chunk: streams of the platform and signals for each response would cost more than all the rest.
 */
export function forwardRequest(options: ForwardOptions): AsyncIterable<ModelPart> {
  return { [Symbol.asyncIterator]: () => openResponse(options) }
}

function openResponse(options: ForwardOptions): AsyncIterator<ModelPart, undefined> {
  const { label, origin, prepare, stream, reader, dispatcher, limits, signal, onHeaders } = options
  const maxBytes = options.maxBytes ?? maxWholeBytes
  const summary: Summary = { usage: noUsage, finish: undefined }
  let state: 'new' | 'waiting' | 'events' | 'whole' | 'error' | 'draining' | 'closed' = 'new'
  let rules: EventRules | undefined
  let connection: Dispatcher.DispatchController | undefined
  let status = 0
  let retryAfter: string | null = null
  /** The start of an event, a whole response, or the body of an error. */
  let chunks: Buffer[] = []
  let size = 0
  const queue: ModelPart[] = []
  let queuedBytes = 0
  let failure: { readonly thrown: unknown } | undefined
  let reading: PromiseWithResolvers<IteratorResult<ModelPart, undefined>> | undefined
  let hasBegun = false
  let timer: NodeJS.Timeout | undefined

  function close(): void {
    state = 'closed'
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }

  /** Closes the connection, which ends the work of the provider. */
  function cut(): void {
    if (state === 'closed') return
    close()
    connection?.abort(cutOff)
  }

  function fail(thrown: unknown): void {
    if (state === 'closed') return
    cut()
    failure = { thrown }
    settle()
  }

  function onAbort(): void {
    fail(signal.reason)
  }

  /** Gives the next part to a consumer that waits for it. */
  function settle(): void {
    if (reading === undefined) return
    const waiting = reading
    const part = takePart()
    if (part !== undefined) waiting.resolve({ done: false, value: part })
    else if (failure !== undefined) waiting.reject(failure.thrown)
    else if (state === 'closed' || state === 'draining') waiting.resolve(finished)
    else return
    reading = undefined
  }

  /** What arrived since the last part is one part, so that a busy gateway writes less often. */
  function takePart(): ModelPart | undefined {
    queuedBytes = 0
    const first = queue.shift()
    if (first?.type !== 'raw' || queue[0]?.type !== 'raw') return first
    const bytes = [first.bytes]
    let { outputBytes, usage } = first
    for (let next = queue[0]; next?.type === 'raw'; next = queue[0]) {
      bytes.push(next.bytes)
      outputBytes += next.outputBytes
      usage = next.usage
      queue.shift()
    }
    return { type: 'raw', bytes: Buffer.concat(bytes), outputBytes, usage }
  }

  function push(part: ModelPart): void {
    if (!hasBegun) {
      hasBegun = true
      clearTimeout(timer)
      timer = undefined
    }
    queue.push(part)
    if (part.type === 'raw') queuedBytes += part.bytes.length
    settle()
  }

  /** Only the time spent waiting for the provider counts, not the time the consumer needs. */
  function onStall(): void {
    if (reading === undefined) timer = undefined
    else fail(timeout(`${label} sent nothing for ${limits.stallMs / 1000} s in the middle of the response.`))
  }

  async function begin(): Promise<void> {
    state = 'waiting'
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      signal.throwIfAborted()
      const { path, headers, key, body, hideUsage } = await prepare()
      if (isClosed()) return
      rules = { label, reader, hideUsage, key, malformed: () => malformed(label) }
      timer = setTimeout(
        () => fail(timeout(`${label} did not start to respond within ${limits.firstPartMs / 1000} s.`)),
        limits.firstPartMs,
      )
      dispatcher.dispatch(
        {
          origin,
          path,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers, ...lengthOf(body) },
          // The client accepts anything that can be iterated; its types do not say so.
          body: body as string | Readable,
        },
        handler,
      )
    } catch (error) {
      fail(error)
    }
  }

  const isClosed = () => state === 'closed'

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      connection = controller
      if (state === 'closed') controller.abort(cutOff)
    },
    onResponseStart(_controller, code, headers) {
      if (code < 200 || state !== 'waiting') return
      const headerOf = (name: string) => {
        const value = headers[name]
        return (Array.isArray(value) ? value[0] : value) ?? null
      }
      onHeaders(headerOf)
      status = code
      retryAfter = headerOf('retry-after')
      if (code >= 300) state = 'error'
      else
        state =
          stream && headerOf('content-type')?.startsWith('text/event-stream') === true ? 'events' : 'whole'
    },
    onResponseData(controller, chunk) {
      size += chunk.length
      if (hasBegun) timer?.refresh()
      if (state === 'events') onEvents(chunk)
      else if (state === 'draining') {
        if (size > drainLimits.bytes) cut()
      } else onPiece(chunk)
      if (queuedBytes > maxQueuedBytes && state === 'events') controller.pause()
    },
    onResponseEnd() {
      if (state === 'events') onEarlyEnd()
      else if (state === 'whole') onWhole()
      else if (state === 'error') onError()
      else if (state === 'draining') close()
    },
    onResponseError(_controller, error) {
      if (state === 'draining') close()
      else if (state !== 'closed')
        fail(state === 'waiting' ? unreachable(label, error) : broken(label, error))
    },
  }

  function onPiece(chunk: Buffer): void {
    if (state === 'whole' && size > maxBytes) return fail(tooLarge(label, 'a response'))
    chunks.push(chunk)
    if (state === 'error' && size >= maxErrorBytes) onError()
  }

  function onError(): void {
    const body = parseJson(Buffer.concat(chunks).toString('utf8'))
    fail(
      failureOfStatus({
        label,
        status,
        ...readErrorBody(body),
        retryAfterSeconds: readRetrySeconds(retryAfter ?? undefined),
        key: rules?.key,
      }),
    )
  }

  function onWhole(): void {
    const bytes = chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks)
    const read = reader.readBytes === undefined ? readObject(bytes, reader) : reader.readBytes(bytes)
    if (read === undefined) return fail(malformed(label))
    close()
    push({ type: 'raw', bytes, outputBytes: read.outputBytes })
    push({ type: 'end', finish: read.finish ?? 'stop', usage: read.usage ?? noUsage })
  }

  /** Passes on complete events, all of a chunk together. */
  function onEvents(chunk: Buffer): void {
    chunks.push(chunk)
    const data = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    const end = endOfEvents(data)
    const rest = data.subarray(end)
    chunks = rest.length === 0 ? [] : [rest]
    if (rest.length > maxEventBytes) return fail(tooLarge(label, 'an event'))
    if (end === 0 || rules === undefined) return
    const { bytes, outputBytes, isEnd, failure: reported } = readEvents(data.subarray(0, end), summary, rules)
    // Without generated text before it, a failure may still lead to another candidate.
    if (bytes.length > 0 && (reported === undefined || outputBytes > 0)) {
      push({ type: 'raw', bytes, outputBytes, usage: summary.usage })
    }
    if (reported !== undefined) fail(reported)
    else if (isEnd) onLastEvent()
  }

  function onLastEvent(): void {
    state = 'draining'
    size = 0
    signal.removeEventListener('abort', onAbort)
    push({ type: 'end', finish: summary.finish ?? 'stop', usage: summary.usage })
    clearTimeout(timer)
    timer = setTimeout(cut, drainLimits.ms)
  }

  /** Some compatible servers close the connection after the last event without marking the end. */
  function onEarlyEnd(): void {
    if (summary.finish === undefined || chunks.some((chunk) => chunk.some((byte) => byte > 32))) {
      return fail(
        new ProviderFailure({
          kind: 'malformed',
          message: `${label} ended the response without its last event.`,
        }),
      )
    }
    close()
    push({ type: 'end', finish: summary.finish, usage: summary.usage })
  }

  return {
    next() {
      reading = Promise.withResolvers()
      const { promise } = reading
      if (state === 'new') void begin()
      else settle()
      if (reading !== undefined && hasBegun && state === 'events') {
        if (timer === undefined) timer = setTimeout(onStall, limits.stallMs)
        else timer.refresh()
        if (connection?.paused === true) connection.resume()
      }
      return promise
    },
    async return() {
      if (state !== 'draining') cut()
      return finished
    },
  }
}

/** Without a reason, every response that is cut off would create an error with a stack that has no reader. */
const cutOff = new Error('the response is not needed any more')

/** Some servers do not read a request without its length, which the HTTP client cannot know before the last piece. */
function lengthOf(body: string | JsonPieces): Readonly<Record<string, string>> {
  return typeof body === 'string' ? {} : { 'content-length': String(body.byteLength) }
}

function readObject(bytes: Buffer, reader: ProtocolReader): Reading | undefined {
  const text = bytes.toString('utf8')
  const body = parseJson(text)
  return isRecord(body) ? reader.readWhole(body, text) : undefined
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

function timeout(message: string): ProviderFailure {
  return new ProviderFailure({ kind: 'timeout', message })
}

function unreachable(label: string, cause: unknown): ProviderFailure {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return new ProviderFailure({ kind: 'unavailable', message: `${label} cannot be reached${code}.`, cause })
}

function broken(label: string, cause: unknown): ProviderFailure {
  const message = `${label} closed the connection in the middle of the response.`
  return new ProviderFailure({ kind: 'unavailable', message, cause })
}

function malformed(label: string): ProviderFailure {
  return new ProviderFailure({ kind: 'malformed', message: `${label} sent an invalid response.` })
}

function tooLarge(label: string, what: string): ProviderFailure {
  return new ProviderFailure({ kind: 'malformed', message: `${label} sent ${what} that is too large.` })
}
