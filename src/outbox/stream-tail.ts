import { setTimeout as pause } from 'node:timers/promises'
import { units } from '#executions-api'
import type { Events, NewEvent, StoredEvent } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'

/** Events of the live stream that the event log stores, there with a prefix. */
const keptNames = [
  'workflow_started',
  'workflow_completed',
  'workflow_failed',
  'agent_performance',
  'cost_alert',
  'error',
] as const

type KeptName = (typeof keptNames)[number]

const prefix = 'orchestra.'
const providerChange = 'models.provider_status_changed'

/** The event log's types that the stream sends. */
export const streamEventTypes: readonly string[] = [
  ...keptNames.map((name) => `${prefix}${name}`),
  providerChange,
]

/** An event of the stream, as the event log stores it. */
export function streamEvent(name: KeptName, event: Omit<NewEvent, 'type'>): NewEvent {
  return { ...event, type: `${prefix}${name}` }
}

/** One message of the stream, serialised once for all its readers. */
export interface StreamEntry {
  readonly id: number
  /** The account it belongs to; null for all accounts. */
  readonly account: string | null
  readonly event: string
  readonly json: string
}

/** Undefined for an event the stream does not send. */
export function toStreamEntry({ id, type, account, data, createdAt }: StoredEvent): StreamEntry | undefined {
  if (type === providerChange) {
    const status = { ...data, timestamp: units.epochSeconds(createdAt) }
    return { id, account: null, event: 'provider_status', json: JSON.stringify(status) }
  }
  if (!type.startsWith(prefix) || !streamEventTypes.includes(type)) return undefined
  return { id, account, event: type.slice(prefix.length), json: JSON.stringify(data) }
}

/** The tail of the stream, read and serialised once per process for all its readers. */
export interface StreamTail {
  /** The tail holds all entries after `floor` up to `position`. */
  readonly floor: number
  readonly position: number
  /** The entries after a cursor that is not below `floor`, in order. */
  after(cursor: number): readonly StreamEntry[]
  /** Invokes the callback when entries were added. Resolves when the position in the log is known. */
  join(wake: () => void): Promise<Disposable>
}

interface StreamTailOptions {
  readonly events: Pick<Events, 'lastId' | 'follow'>
  readonly log: Pick<Logger, 'warn' | 'debug'>
  readonly max?: { readonly entries: number; readonly characters: number }
}

interface Stretch {
  entries: StreamEntry[]
  characters: number
  floor: number
  position: number
}

const pauseMs = 500

/**
 * | state  | on                         | next                                                                              |
 * |--------|----------------------------|-----------------------------------------------------------------------------------|
 * | idle   | the first reader joins     | live, from the end of the log                                                     |
 * | live   | an event                   | live; readers are woken once per burst of events                                  |
 * | live   | following the log fails    | live from its end, after a pause; readers read the gap from the database          |
 * | live   | the last reader leaves     | idle                                                                              |
 */
export function createStreamTail({
  events,
  log,
  max = { entries: 5000, characters: 8 * 1024 * 1024 },
}: StreamTailOptions): StreamTail {
  const readers = new Set<() => void>()
  let stretch: Stretch = { entries: [], characters: 0, floor: 0, position: 0 }
  let waking: NodeJS.Immediate | undefined
  let following: { readonly begun: Promise<void>; readonly stop: AbortController } | undefined

  function wakeSoon(): void {
    waking ??= setImmediate(() => {
      waking = undefined
      for (const wake of readers) wake()
    })
  }

  function add(entry: StreamEntry): void {
    stretch.entries.push(entry)
    stretch.characters += entry.json.length
    if (stretch.entries.length <= max.entries && stretch.characters <= max.characters) return
    // Dropping half at once keeps this rare.
    const dropped = stretch.entries.splice(0, Math.ceil(stretch.entries.length / 2))
    for (const { json } of dropped) stretch.characters -= json.length
    stretch.floor = dropped.at(-1)?.id ?? stretch.floor
  }

  async function locate(signal: AbortSignal): Promise<void> {
    const last = await events.lastId()
    if (!signal.aborted) stretch = { entries: [], characters: 0, floor: last, position: last }
  }

  async function followOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const event of events.follow({ after: stretch.position, signal })) {
          const entry = toStreamEntry(event)
          if (entry !== undefined) add(entry)
          stretch.position = event.id
          wakeSoon()
        }
      } catch (error) {
        log.warn({ err: error }, 'following the event log failed, continuing from its end')
        await pause(pauseMs, undefined, { signal }).catch(() => {})
        await locate(signal).catch(() => {})
        wakeSoon()
      }
    }
  }

  function begin() {
    const stop = new AbortController()
    const begun = locate(stop.signal)
    void begun.then(
      () => followOn(stop.signal),
      () => {},
    )
    return { begun, stop }
  }

  function leave(wake: () => void): void {
    if (!readers.delete(wake) || readers.size > 0) return
    following?.stop.abort()
    following = undefined
    stretch.entries = []
  }

  return {
    get floor() {
      return stretch.floor
    },
    get position() {
      return stretch.position
    },
    after(cursor) {
      const { entries } = stretch
      let first = entries.length
      // Nearly all readers need only the last few entries.
      while (first > 0 && (entries[first - 1]?.id ?? 0) > cursor) first -= 1
      return first === entries.length ? none : entries.slice(first)
    },
    async join(wake) {
      readers.add(wake)
      following ??= begin()
      const { begun } = following
      try {
        await begun
      } catch (error) {
        if (following?.begun === begun) following = undefined
        leave(wake)
        throw error
      }
      return { [Symbol.dispose]: () => leave(wake) }
    },
  }
}

const none: readonly StreamEntry[] = []
