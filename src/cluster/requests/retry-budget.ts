/** Limits concurrent retries: when all nodes fail, retries must not multiply the load. */
export interface RetryBudget {
  /** Registers a request; call the returned function when it ends. */
  enter(): () => void
  /** Registers a retry; call the returned function when it ends. Undefined when the budget is used up. */
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
