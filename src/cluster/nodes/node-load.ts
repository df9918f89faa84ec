import type { History } from './history.ts'

/** The load of a node. The sender of a request counts it. */
export interface NodeLoad {
  active: number
  requests: number
  failures: number
  readonly expectedWait: ExpectedWait
}

/** Counters that also update the history, so that callers count only once. */
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

/** Recent latencies by model: those of small and large models are not comparable. */
interface ExpectedWait {
  add(model: string, ms: number, nowMs: number): void
  /** Undefined before the first response with this model. */
  of(model: string, nowMs: number): number | undefined
}

const shareOfTheNewest = 0.3
/** Latencies decay: otherwise a node that was slow once would never get requests again. */
const halfLifeMs = 30_000
const maxModels = 256

export function createExpectedWait(): ExpectedWait {
  const byModel = new Map<string, { ewmaMs: number; atMs: number }>()
  return {
    add(model, ms, nowMs) {
      const known = byModel.get(model)
      if (known !== undefined) {
        known.ewmaMs += shareOfTheNewest * (ms - known.ewmaMs)
        known.atMs = nowMs
        return
      }
      if (byModel.size === maxModels) byModel.clear()
      byModel.set(model, { ewmaMs: ms, atMs: nowMs })
    },
    of(model, nowMs) {
      const known = byModel.get(model)
      return known === undefined ? undefined : known.ewmaMs * 0.5 ** ((nowMs - known.atMs) / halfLifeMs)
    },
  }
}
