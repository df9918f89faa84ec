import type { PlatformEvent } from './bodies.ts'
import { readServerSentEvents } from './read-server-sent-events.ts'
import type { Send } from './send.ts'

export type StreamState = 'connecting' | 'live' | 'waiting'

export interface FollowEventsOptions {
  readonly send: Send
  readonly origin: string
  /** The newest event already known: the stream starts behind it. */
  readonly after: number
  /** One type of event alone. */
  readonly type: string | undefined
  readonly signal: AbortSignal
  readonly onEvent: (event: PlatformEvent) => void
  readonly onState: (state: StreamState) => void
  /** The log no longer has what came after the last event: whoever follows must read it afresh. */
  readonly onLost: () => void
}

/** A stream that sends nothing for this long, not even a comment, is taken for dead. */
const silenceLimitMs = 60_000
const shortestPauseMs = 500
const longestPauseMs = 15_000

/**
 * Follows the platform's log until the signal aborts; no event is told twice and none is left out.
 *
 * | state      | on                           | next                                                       |
 * |------------|------------------------------|------------------------------------------------------------|
 * | connecting | the stream is open           | live                                                       |
 * | connecting | refused or unreachable       | waiting                                                    |
 * | connecting | the log has moved on         | ended; `onLost` is called                                  |
 * | live       | ended, broken or long silent | waiting                                                    |
 * | waiting    | the pause is over            | connecting behind the last event; pauses double up to 15 s |
 */
export async function followEvents(options: FollowEventsOptions): Promise<void> {
  const { signal, onEvent, onState, onLost } = options
  let lastId = options.after
  let pauseMs = shortestPauseMs
  while (!signal.aborted) {
    onState('connecting')
    try {
      for await (const { event, data } of readLog(options, lastId, () => onState('live'))) {
        pauseMs = shortestPauseMs
        const message = event === 'event' ? (JSON.parse(data) as PlatformEvent) : undefined
        if (message === undefined || message.id <= lastId) continue
        lastId = message.id
        onEvent(message)
      }
    } catch (error) {
      if (error instanceof LostPlace) return onLost()
      // Whatever else broke the stream, the answer is the same: wait, then carry on behind the last event.
    }
    if (signal.aborted) return
    onState('waiting')
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}

class LostPlace extends Error {}

async function* readLog(
  { send, origin, type, signal }: FollowEventsOptions,
  after: number,
  onOpen: () => void,
) {
  const silence = new AbortController()
  const giveUp = () => silence.abort()
  let alarm = setTimeout(giveUp, silenceLimitMs)
  const postpone = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      clearTimeout(alarm)
      alarm = setTimeout(giveUp, silenceLimitMs)
      controller.enqueue(chunk)
    },
  })
  const address = new URL('/api/v1/events/stream', origin)
  address.searchParams.set('after', String(after))
  if (type !== undefined) address.searchParams.set('type', type)
  try {
    const response = await send(
      new Request(address, {
        headers: { accept: 'text/event-stream' },
        signal: AbortSignal.any([signal, silence.signal]),
      }),
    )
    if (response.status === 410) throw new LostPlace()
    if (!response.ok || response.body === null) throw new Error(`the stream answered ${response.status}`)
    onOpen()
    yield* readServerSentEvents(response.body.pipeThrough(postpone))
  } finally {
    clearTimeout(alarm)
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
}
