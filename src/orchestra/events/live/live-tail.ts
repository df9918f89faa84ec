import { setTimeout as pause } from 'node:timers/promises'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import { type LiveEntry, toLiveEntry } from './live-events.ts'

/** The end of what the stream tells, read once in this process and written once, for all who watch here. */
export interface LiveTail {
  /** Everything after `floor` and up to `position` is here. */
  readonly floor: number
  readonly position: number
  /** In their order; for a cursor that is not below `floor`. */
  after(cursor: number): readonly LiveEntry[]
  /** Calls back whenever there is more. Resolves when the end of the log was found. */
  join(wake: () => void): Promise<Disposable>
}

interface LiveTailOptions {
  readonly events: Pick<Events, 'lastId' | 'follow'>
  readonly log: Pick<Logger, 'warn' | 'debug'>
  readonly most?: { readonly entries: number; readonly characters: number }
}

interface Stretch {
  entries: LiveEntry[]
  characters: number
  floor: number
  position: number
}

const pauseMs = 500

/**
 * | state  | on                         | next                                                                              |
 * |--------|----------------------------|-----------------------------------------------------------------------------------|
 * | idle   | the first one joins        | live, from the end of the log                                                     |
 * | live   | an event                   | live; those who watch are woken, once for what came together                      |
 * | live   | the log cannot be followed | live from its end, after a pause; watchers read what is between from the database |
 * | live   | the last one leaves        | idle                                                                              |
 */
export function createLiveTail({
  events,
  log,
  most = { entries: 5000, characters: 8 * 1024 * 1024 },
}: LiveTailOptions): LiveTail {
  const watchers = new Set<() => void>()
  let stretch: Stretch = { entries: [], characters: 0, floor: 0, position: 0 }
  let waking: NodeJS.Immediate | undefined
  let following: { readonly begun: Promise<void>; readonly stop: AbortController } | undefined

  function wakeSoon(): void {
    waking ??= setImmediate(() => {
      waking = undefined
      for (const wake of watchers) wake()
    })
  }

  function add(entry: LiveEntry): void {
    stretch.entries.push(entry)
    stretch.characters += entry.json.length
    if (stretch.entries.length <= most.entries && stretch.characters <= most.characters) return
    // Half of it, so that this is seldom done.
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
          const entry = toLiveEntry(event)
          if (entry !== undefined) add(entry)
          stretch.position = event.id
          wakeSoon()
        }
      } catch (error) {
        log.warn({ err: error }, 'the log of events could not be followed; going on from its end')
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
    if (!watchers.delete(wake) || watchers.size > 0) return
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
      // Nearly everybody wants the last few.
      while (first > 0 && (entries[first - 1]?.id ?? 0) > cursor) first -= 1
      return first === entries.length ? none : entries.slice(first)
    },
    async join(wake) {
      watchers.add(wake)
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

const none: readonly LiveEntry[] = []
