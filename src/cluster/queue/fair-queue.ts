/** Higher numbers come first. */
export const priorities = { low: 0, normal: 1, high: 2, urgent: 3 } as const

export type Priority = keyof typeof priorities

/** A waiting request. */
export interface Waiter {
  readonly caller: string
  readonly priority: Priority
  readonly sinceMs: number
}

/**
 * The waiting requests of one model. Higher priorities first; within a priority callers take turns, so that a caller with a hundred
 * requests does not delay a caller with one. A request that has waited for `patienceMs` precedes all others, which prevents starvation.
 */
export interface FairQueue<Item extends Waiter> {
  readonly size: number
  add(waiter: Item): void
  remove(waiter: Item): void
  /** The next request, which stays in the queue. */
  peek(nowMs: number): Item | undefined
  /** Removes the request and moves on to the next caller. */
  take(waiter: Item): void
  /** The position of a request, from 1, if no other request arrives. */
  positionOf(waiter: Item): number
  /** The request that has waited longest. */
  oldest(): Item | undefined
}

const urgentFirst = Object.values(priorities).toSorted((left, right) => right - left)

export function createFairQueue<Item extends Waiter>({
  patienceMs,
}: {
  /** A request that has waited for longer precedes all others. */
  readonly patienceMs: number
}): FairQueue<Item> {
  /** By priority, then by caller; the callers in the order of their turns. */
  const classes = new Map(urgentFirst.map((priority) => [priority, new Map<string, Item[]>()]))
  const byAge = new Set<Item>()

  const callersOf = ({ priority }: Item) => classes.get(priorities[priority]) ?? new Map<string, Item[]>()

  function remove(waiter: Item): void {
    if (!byAge.delete(waiter)) return
    const callers = callersOf(waiter)
    const left = (callers.get(waiter.caller) ?? []).filter((other) => other !== waiter)
    if (left.length === 0) callers.delete(waiter.caller)
    else callers.set(waiter.caller, left)
  }

  return {
    get size() {
      return byAge.size
    },
    remove,
    add(waiter) {
      byAge.add(waiter)
      const callers = callersOf(waiter)
      const own = callers.get(waiter.caller)
      if (own === undefined) callers.set(waiter.caller, [waiter])
      else own.push(waiter)
    },
    peek(nowMs) {
      const [oldest] = byAge
      if (oldest !== undefined && nowMs - oldest.sinceMs >= patienceMs) return oldest
      for (const callers of classes.values()) {
        const [first] = callers.values()
        if (first !== undefined) return first[0]
      }
      return undefined
    },
    take(waiter) {
      remove(waiter)
      const callers = callersOf(waiter)
      const left = callers.get(waiter.caller)
      if (left === undefined) return
      // A map keeps insertion order: re-inserting the caller moves it to the end.
      callers.delete(waiter.caller)
      callers.set(waiter.caller, left)
    },
    positionOf(waiter) {
      let ahead = 0
      for (const [priority, callers] of classes) {
        if (priority > priorities[waiter.priority]) for (const list of callers.values()) ahead += list.length
      }
      const callers = callersOf(waiter)
      const own = callers.get(waiter.caller)?.indexOf(waiter) ?? 0
      let isBefore = true
      for (const [caller, list] of callers) {
        if (caller === waiter.caller) {
          ahead += own
          isBefore = false
        } else {
          ahead += Math.min(list.length, isBefore ? own + 1 : own)
        }
      }
      return ahead + 1
    },
    oldest: () => byAge.values().next().value,
  }
}
