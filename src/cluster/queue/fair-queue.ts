/** The higher the number the sooner. */
export const priorities = { low: 0, normal: 1, high: 2, urgent: 3 } as const

export type Priority = keyof typeof priorities

/** Somebody who waits. */
export interface Waiter {
  readonly caller: string
  readonly priority: Priority
  readonly sinceMs: number
}

/**
 * Who waits for one model. The more urgent first; among equally urgent ones each caller in turn, so that nobody who asks a
 * hundred times keeps out somebody who asks once. Whoever has waited for long goes before all: nobody waits for ever.
 */
export interface FairQueue<Someone extends Waiter> {
  readonly size: number
  add(waiter: Someone): void
  remove(waiter: Someone): void
  /** Who is next; stays in the queue. */
  peek(nowMs: number): Someone | undefined
  /** Takes out who was next, and moves on to the next caller. */
  take(waiter: Someone): void
  /** How many are served before this one if nobody else comes, and one. */
  positionOf(waiter: Someone): number
  /** Who has waited longest. */
  oldest(): Someone | undefined
}

const urgentFirst = Object.values(priorities).toSorted((left, right) => right - left)

export function createFairQueue<Someone extends Waiter>({
  patienceMs,
}: {
  /** Who has waited for longer goes before all others. */
  readonly patienceMs: number
}): FairQueue<Someone> {
  /** By priority, then by caller; the callers in the order of their turns. */
  const classes = new Map(urgentFirst.map((priority) => [priority, new Map<string, Someone[]>()]))
  const byAge = new Set<Someone>()

  const callersOf = ({ priority }: Someone) =>
    classes.get(priorities[priority]) ?? new Map<string, Someone[]>()

  function remove(waiter: Someone): void {
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
      // A map remembers the order of its keys, so the one that had its turn goes to the end.
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
