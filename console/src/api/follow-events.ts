import { followStream, type StreamState } from './follow-stream.ts'
import type { PlatformEvent } from './responses.ts'
import type { Send } from './send.ts'

export interface FollowEventsOptions {
  readonly send: Send
  readonly origin: string
  /** The id of the newest known event: the stream starts after it. */
  readonly after: number
  /** The only event type to follow; undefined follows all types. */
  readonly type: string | undefined
  readonly signal: AbortSignal
  readonly onEvent: (event: PlatformEvent) => void
  readonly onState: (state: StreamState) => void
  /** Called when the log no longer has the events after the last one received: the follower must reload. */
  readonly onLost: () => void
}

/** Follows the platform's log until the signal aborts; each event is passed on exactly once. */
export async function followEvents(options: FollowEventsOptions): Promise<void> {
  const { send, origin, after, type, signal, onEvent, onState, onLost } = options
  const address = new URL('/api/v1/events/stream', origin)
  if (type !== undefined) address.searchParams.set('type', type)
  let lastId = after
  await followStream({
    send,
    address,
    after: String(after),
    signal,
    onState,
    onMessage({ event, data }) {
      const message = event === 'event' ? (JSON.parse(data) as PlatformEvent) : undefined
      if (message === undefined || message.id <= lastId) return
      lastId = message.id
      onEvent(message)
    },
    onRefused({ status }) {
      if (status !== 410) return 'ask again'
      onLost()
      return 'stop'
    },
  })
}
