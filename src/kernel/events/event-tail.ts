import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { eventChannel } from './event.ts'
import { createEventRing, type EventRing, type EventRingLimits } from './event-ring.ts'
import type { EventReader } from './read-events.ts'

export interface EventTailOptions {
  readonly database: Database
  readonly reader: EventReader
  readonly log: Logger
  readonly limits: EventRingLimits
  readonly pollMs: number
}

/**
 * The end of the log, read once per process for all its followers.
 *
 * | state    | on                                   | next                                                       |
 * |----------|--------------------------------------|------------------------------------------------------------|
 * | idle     | the first follower joins             | locating                                                   |
 * | locating | the last id is known                 | live, with an empty ring that starts there                 |
 * | live     | NOTIFY, reconnect, own append, poll  | live; new events go into the ring and wake followers       |
 * | any      | the database is unavailable          | the same; the next poll retries                            |
 * | any      | the last follower leaves             | idle; the ring is dropped                                  |
 */
export interface EventTail {
  /** Undefined until the last id is known. */
  readonly ring: EventRing | undefined
  readonly followers: number
  /** Keeps the tail live until it is disposed. */
  join(): Disposable
  /** Reads new events. Calls during a read cause one further read. */
  wake(): void
  /** Resolves when the ring has an event after the id, or the signal aborts. */
  waitBeyond(id: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const pageSize = 500

export function createEventTail({ database, reader, log, limits, pollMs }: EventTailOptions): EventTail {
  const waiting = new Set<() => void>()
  let ring: EventRing | undefined
  let followers = 0
  let subscription: Promise<AsyncDisposable | undefined> | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let pulling: Promise<void> | undefined
  let pullAgain = false
  let closed = false

  function wakeFollowers(): void {
    for (const wakeOne of waiting) wakeOne()
  }

  /** True when there may be further events. */
  async function pull(): Promise<boolean> {
    if (ring === undefined) {
      const { last } = await reader.bounds()
      if (followers > 0) ring = createEventRing(last, limits)
      wakeFollowers()
      return false
    }
    const current = ring
    const added = await reader.page({ after: current.position, limit: pageSize })
    if (added.length === 0) return false
    current.push(added)
    wakeFollowers()
    return added.length === pageSize
  }

  const isNeeded = () => pullAgain && followers > 0 && !closed

  async function pullWhileNeeded(): Promise<void> {
    while (isNeeded()) {
      pullAgain = false
      try {
        if (await pull()) pullAgain = true
      } catch (error) {
        log.warn({ err: error }, 'could not read new events, retrying')
        break
      }
    }
    pulling = undefined
  }

  function wake(): void {
    if (followers === 0 || closed) return
    pullAgain = true
    pulling ??= pullWhileNeeded()
  }

  async function subscribe(): Promise<AsyncDisposable | undefined> {
    try {
      return await database.listen(eventChannel, wake, wake)
    } catch (error) {
      log.warn({ err: error }, 'could not listen for new events, polling meanwhile')
      subscription = undefined
      return undefined
    }
  }

  function poll(): void {
    subscription ??= subscribe()
    wake()
  }

  function leave(): void {
    followers -= 1
    if (followers > 0) return
    clearInterval(pollTimer)
    ring = undefined
  }

  return {
    get ring() {
      return ring
    },
    get followers() {
      return followers
    },

    join() {
      followers += 1
      if (followers === 1) {
        pollTimer = setInterval(poll, pollMs)
        poll()
      }
      let joined = true
      return {
        [Symbol.dispose]() {
          if (joined) leave()
          joined = false
        },
      }
    },

    wake,

    waitBeyond(id, signal) {
      if (signal.aborted || (ring !== undefined && ring.position > id)) return Promise.resolve()
      return new Promise((resolve) => {
        const finish = () => {
          waiting.delete(finish)
          signal.removeEventListener('abort', finish)
          resolve()
        }
        waiting.add(finish)
        signal.addEventListener('abort', finish)
      })
    },

    async close() {
      closed = true
      clearInterval(pollTimer)
      await pulling
      const listening = await subscription
      await listening?.[Symbol.asyncDispose]()
    },
  }
}
