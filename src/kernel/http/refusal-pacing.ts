interface RefusalPacingOptions {
  /** Refusals of a caller in a second that are sent at once. */
  readonly free: number
  /** Refusals that wait at a time, of all callers. */
  readonly maxWaiting: number
}

/**
 * Delays refusals of a caller who ignores them. A refusal costs a fraction of a request, but a caller who sends the next one as soon as it
 * has the last would use the processor that others need. Such a caller gets its refusals at the end of the second.
 */
export interface RefusalPacing {
  /** Resolves when a refusal may be sent to the caller. */
  wait(caller: string): Promise<void>
}

const defaults: RefusalPacingOptions = { free: 20, maxWaiting: 2000 }

export function createRefusalPacing({ free, maxWaiting }: RefusalPacingOptions = defaults): RefusalPacing {
  const refusals = new Map<string, number>()
  let second = 0
  let waiting = 0
  return {
    async wait(caller) {
      const now = performance.now()
      if (Math.floor(now / 1000) !== second) {
        second = Math.floor(now / 1000)
        refusals.clear()
      }
      const count = (refusals.get(caller) ?? 0) + 1
      refusals.set(caller, count)
      if (count <= free || waiting >= maxWaiting) return
      waiting += 1
      try {
        await new Promise<void>((resolve) => void setTimeout(resolve, 1000 - (now % 1000)).unref())
      } finally {
        waiting -= 1
      }
    },
  }
}
