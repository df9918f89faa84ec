import { type ApiFailure, readApiFailure } from './api-failure.ts'
import type { StreamState } from './follow-events.ts'
import { readServerSentEvents, type ServerSentEvent } from './read-server-sent-events.ts'
import type { Send } from './send.ts'

interface FollowStreamOptions {
  readonly send: Send
  readonly address: URL
  readonly signal: AbortSignal
  readonly onMessage: (message: ServerSentEvent) => void
  readonly onState: (state: StreamState) => void
  /** Told why the platform does not give the stream; it is asked for again all the same. */
  readonly onRefused: (failure: ApiFailure) => void
}

/** A stream that sends nothing for this long, not even a comment, is taken for dead. */
const silenceLimitMs = 60_000
const shortestPauseMs = 500
const longestPauseMs = 15_000

/**
 * Follows a stream that begins with everything, so that nothing has to be remembered, until the signal aborts.
 *
 * | state      | on                           | next                                   |
 * |------------|------------------------------|----------------------------------------|
 * | connecting | the stream is open           | live                                   |
 * | connecting | refused or unreachable       | waiting                                |
 * | live       | ended, broken or long silent | waiting                                |
 * | waiting    | the pause is over            | connecting; pauses double up to 15 s   |
 */
export async function followStream(options: FollowStreamOptions): Promise<void> {
  const { signal, onMessage, onState } = options
  let pauseMs = shortestPauseMs
  while (!signal.aborted) {
    onState('connecting')
    try {
      for await (const message of readStream(options)) {
        pauseMs = shortestPauseMs
        onMessage(message)
      }
    } catch {
      // Whatever broke the stream, the answer is the same: wait, then begin anew.
    }
    if (signal.aborted) return
    onState('waiting')
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}

async function* readStream({ send, address, signal, onState, onRefused }: FollowStreamOptions) {
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
  try {
    const response = await send(
      new Request(address, {
        headers: { accept: 'text/event-stream' },
        signal: AbortSignal.any([signal, silence.signal]),
      }),
    )
    if (!response.ok || response.body === null) {
      onRefused(await readApiFailure(response))
      return
    }
    onState('live')
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
