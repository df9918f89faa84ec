import type { Events } from '#kernel/events'
import type { StreamMessage } from '#kernel/http'
import { type LiveEntry, liveTypes, toLiveEntry } from './live-events.ts'
import type { LiveTail } from './live-tail.ts'
import type { SystemStatus } from './system-status.ts'

interface FollowLiveOptions {
  readonly tail: LiveTail
  readonly status: SystemStatus
  readonly events: Pick<Events, 'read'>
  /** Begins after this event. */
  readonly after: number
  /** Why not all that comes after the event the reader asked for can be told; undefined when it can. */
  readonly gap: 'too_old' | 'unknown' | undefined
  /** How things are, for a reader that missed how they became so. */
  readonly snapshot: () => Promise<object>
  /** Whether the reader may see what happened to somebody's executions. */
  readonly sees: (account: string | null) => boolean
  readonly signal: AbortSignal
}

/** So many events of the database are read at once by a reader that is behind. */
const pageSize = 200

/**
 * What happens, from an event on, with how busy the platform is in between. A reader owns a cursor and no queue: it takes what is
 * there from the tail, and what it is too late for from the database. So one that reads slowly costs nothing more than others.
 *
 * The id of what is not kept is that of the last event, a dot, and the time: whoever resumes from it resumes after that event.
 */
export async function* followLive(options: FollowLiveOptions): AsyncGenerator<StreamMessage> {
  const { tail, status, events, sees, signal, gap, snapshot } = options
  let wake: (() => void) | undefined
  const look = () => wake?.()
  using leaving = new DisposableStack()
  leaving.use(await tail.join(look))
  leaving.use(await status.join(look))
  signal.addEventListener('abort', look, { once: true })
  leaving.defer(() => signal.removeEventListener('abort', look))
  let cursor = options.after
  let statusAtMs = 0

  async function reset(reason: string): Promise<StreamMessage> {
    const data = { reason, ...(await snapshot()) }
    return { id: `${cursor}.${Date.now()}`, event: 'stream_reset', data }
  }

  if (gap !== undefined) yield await reset(gap)

  while (!signal.aborted) {
    const { position } = tail
    if (cursor < tail.floor) {
      const page = await events.read({ after: cursor, limit: pageSize, types: liveTypes })
      if (page.truncated) {
        // It was read so slowly that what comes next is no longer kept.
        cursor = position
        yield await reset('too_slow')
        continue
      }
      for (const stored of page.events) {
        const entry = toLiveEntry(stored)
        if (entry !== undefined && sees(entry.account)) yield messageOf(entry)
      }
      const last = page.events.at(-1)?.id ?? cursor
      cursor = page.events.length < pageSize ? Math.max(last, position) : last
      continue
    }
    for (const entry of tail.after(cursor)) if (sees(entry.account)) yield messageOf(entry)
    cursor = Math.max(cursor, position)
    const { last } = status
    if (last !== undefined && last.atMs !== statusAtMs) {
      statusAtMs = last.atMs
      yield { id: `${cursor}.${last.atMs}`, event: 'status_update', json: last.json }
      continue
    }
    if (tail.position > cursor || signal.aborted) continue
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    await promise
    wake = undefined
  }
}

function messageOf({ id, event, json }: LiveEntry): StreamMessage {
  return { id, event, json }
}
