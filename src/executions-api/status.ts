import type { Engine, ExecutionRecord } from '#engine'
import { type Expectation, expect } from './responses/expectation.ts'
import { createReachOf, type Reach, type ReachOptions } from './responses/reach.ts'

/** An execution at a moment, with everything its status is described from. */
export interface ExecutionStatus {
  readonly record: ExecutionRecord
  readonly expected: Expectation
  readonly reach: Reach
  readonly now: Date
}

interface StatusOptions extends ReachOptions {
  readonly engine: Pick<Engine, 'history'>
}

/** Returns a function that reads what the status of an execution needs besides its record. */
export function createStatusOf(
  options: StatusOptions,
): (record: ExecutionRecord) => Promise<ExecutionStatus> {
  const reachOf = createReachOf(options)
  return async (record) => {
    const now = new Date()
    const [expected, reach] = await Promise.all([expect(options.engine, record, now), reachOf(record)])
    return { record, expected, reach, now }
  }
}
