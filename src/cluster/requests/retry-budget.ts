/** How many requests may be on a second try at the same time: when everything fails, retries must not multiply the load. */
export interface RetryBudget {
  /** A request begins; call the answer when it is over. */
  enter(): () => void
  /** Undefined when too many are at it already; call the answer when the try is over. */
  take(): (() => void) | undefined
}

const share = 0.2
const always = 3

export function createRetryBudget(): RetryBudget {
  let active = 0
  let retrying = 0
  return {
    enter() {
      active += 1
      return () => {
        active -= 1
      }
    },
    take() {
      if (retrying >= Math.max(always, active * share)) return undefined
      retrying += 1
      return () => {
        retrying -= 1
      }
    },
  }
}
