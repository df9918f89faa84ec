import { createExpectedWait, type ExpectedWait } from './expected-wait.ts'
import type { History } from './history.ts'

/** What a node is given to do. Whoever gives it counts it. */
export interface NodeLoad {
  active: number
  requests: number
  failures: number
  readonly expectedWait: ExpectedWait
}

/** Counts that also go into the history, so that whoever counts need not know there is one. */
export function createNodeLoad(history: History): NodeLoad {
  const expectedWait = createExpectedWait()
  let requests = 0
  let failures = 0
  return {
    active: 0,
    get requests() {
      return requests
    },
    set requests(total) {
      history.addRequests(total - requests)
      requests = total
    },
    get failures() {
      return failures
    },
    set failures(total) {
      history.addFailures(total - failures)
      failures = total
    },
    expectedWait: {
      add(model, ms, nowMs) {
        expectedWait.add(model, ms, nowMs)
        history.addFirstByte(ms)
      },
      of: (model, nowMs) => expectedWait.of(model, nowMs),
    },
  }
}
