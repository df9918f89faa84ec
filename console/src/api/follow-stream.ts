import { type ApiFailure, readApiFailure } from './api-failure.ts'
import { readServerSentEvents, type ServerSentEvent } from './read-server-sent-events.ts'
import type { Send } from './send.ts'

export type StreamState = 'connecting' | 'live' | 'waiting'

interface FollowStreamOptions {
  readonly send: Send
  readonly address: URL
  /**
   * The id of the last known message: the stream continues after it. Streams that begin with a full snapshot have no such id.
   */
  readonly after?: string | undefined
  readonly signal: AbortSignal
  readonly onMessage: (message: ServerSentEvent) => void
  readonly onState: (state: StreamState) => void
  /**
   * Called with the failure when the platform refuses the stream; the result decides whether the stream is requested again.
   */
  readonly onRefused: (failure: ApiFailure) => 'ask again' | 'stop'
}

/** A stream without any data for this time, not even a comment, counts as broken. */
const silenceLimitMs = 60_000
const shortestPauseMs = 500
const maxPauseMs = 15_000

/**
 * Follows a stream until the signal aborts. Each message with an id is passed on once; a reconnect continues after it.
 *
 * | state      | on                           | next                                                         |
 * |------------|------------------------------|--------------------------------------------------------------|
 * | connecting | the stream is open           | live                                                         |
 * | connecting | refused or unreachable       | waiting, or ended when the caller does not retry             |
 * | live       | ended, broken or long silent | waiting                                                      |
 * | waiting    | the pause is over            | connecting after the last message; pauses double up to 15 s  |
 */
export async function followStream(options: FollowStreamOptions): Promise<void> {
  const { signal, onMessage, onState, onRefused } = options
  let lastId = options.after
  let pauseMs = shortestPauseMs
  while (!signal.aborted) {
    onState('connecting')
    try {
      for await (const message of readStream(options, lastId)) {
        pauseMs = shortestPauseMs
        if (message.id !== '') lastId = message.id
        onMessage(message)
      }
    } catch (error) {
      if (error instanceof Refusal && onRefused(error.failure) === 'stop') return
      // Every other error of the stream has the same remedy: wait, then reconnect.
    }
    if (signal.aborted) return
    onState('waiting')
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
  }
}

class Refusal extends Error {
  readonly failure: ApiFailure
  constructor(failure: ApiFailure) {
    super(failure.message)
    this.failure = failure
  }
}

async function* readStream({ send, address, signal, onState }: FollowStreamOptions, after?: string) {
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
        headers: {
          accept: 'text/event-stream',
          ...(after === undefined ? {} : { 'last-event-id': after }),
        },
        signal: AbortSignal.any([signal, silence.signal]),
      }),
    )
    if (!response.ok || response.body === null) throw new Refusal(await readApiFailure(response))
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
