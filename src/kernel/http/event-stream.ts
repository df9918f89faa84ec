import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** One message of a server-sent event stream. */
export type StreamMessage = {
  readonly id?: string | number
  readonly event?: string
} & (
  | { readonly data: unknown; readonly json?: never }
  /** The data as JSON text, for messages that go to many streams. */
  | { readonly json: string; readonly data?: never }
)

export interface EventStreamOptions {
  readonly messages: (signal: AbortSignal) => AsyncIterable<StreamMessage>
  readonly heartbeatMs?: number
  /** Reconnect delay of the client. */
  readonly retryMs?: number
}

/**
 * Sends server-sent events until the source ends, the client disconnects or the server closes. A slow client slows down the source
 * instead of filling the memory. Every heartbeat checks the access again, so that the stream ends after a sign-out or a revoked
 * key. An error of the source is logged and ends the stream; it is not thrown. Throws `too_many_requests` when the account has as many
 * streams as it may.
 */
export async function sendEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { messages, heartbeatMs = 15_000, retryMs = 2000 }: EventStreamOptions,
): Promise<void> {
  const { server } = request
  using ending = new DisposableStack()
  ending.use(server.accountShares.openStream(request))
  const gone = new AbortController()
  const { signal } = gone
  const stop = () => gone.abort()
  reply.hijack()
  const response = reply.raw
  response.on('close', stop)
  response.on('error', stop)
  response.writeHead(200, {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  } as Record<string, string>)
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  response.write(`retry: ${retryMs}\n\n`)
  const beat = async () => {
    if (!(await server.isStillAllowed(request))) stop()
    else if (!signal.aborted && !response.writableNeedDrain) response.write(': still here\n\n')
  }
  ending.use(server.heartbeats.add(() => void beat(), heartbeatMs))
  // AbortSignal.any would take several times the memory for each of thousands of streams.
  server.closing.addEventListener('abort', stop)
  ending.defer(() => server.closing.removeEventListener('abort', stop))
  if (server.closing.aborted) stop()
  try {
    for await (const message of messages(signal)) {
      if (signal.aborted) break
      if (!response.write(formatMessage(message))) await once(response, 'drain', { signal })
    }
  } catch (error) {
    if (!signal.aborted) request.log.error({ err: error }, 'event stream failed')
  } finally {
    response.end()
  }
}

function formatMessage(message: StreamMessage): string {
  const { id, event, json } = message
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`
  return `${head}data: ${json ?? JSON.stringify(message.data)}\n\n`
}

/** Heartbeats of all streams of a server, with one timer per interval. */
export interface Heartbeats {
  /** Calls `beat` at the interval until it is disposed. */
  add(beat: () => void, everyMs: number): Disposable
}

/** Streams are spread over the interval, so that thousands of heartbeats do not block the event loop at once. */
const slotCount = 15

export function createHeartbeats(): Heartbeats {
  const wheels = new Map<number, Wheel>()
  return {
    add(beat, everyMs) {
      const wheel = wheels.get(everyMs) ?? createWheel(everyMs, () => wheels.delete(everyMs))
      wheels.set(everyMs, wheel)
      return wheel.add(beat)
    },
  }
}

interface Wheel {
  add(beat: () => void): Disposable
}

function createWheel(everyMs: number, onEmpty: () => void): Wheel {
  const slots = Array.from({ length: slotCount }, () => new Set<() => void>())
  let count = 0
  let nextSlot = 0
  let currentSlot = 0
  const timer = setInterval(() => {
    for (const beat of slots[currentSlot] ?? []) beat()
    currentSlot = (currentSlot + 1) % slotCount
  }, everyMs / slotCount)
  return {
    add(beat) {
      const slot = slots[nextSlot]
      nextSlot = (nextSlot + 1) % slotCount
      slot?.add(beat)
      count += 1
      return {
        [Symbol.dispose]() {
          if (slot?.delete(beat) !== true) return
          count -= 1
          if (count > 0) return
          clearInterval(timer)
          onEmpty()
        },
      }
    },
  }
}
