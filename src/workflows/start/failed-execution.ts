import type { ExecutionRecord, FlowEstimate } from '#engine'
import { type Callback, describeWaitedFailure, executionFailure, recoveryOf } from '#executions-api'
import type { Failure } from '#kernel/errors'

/** The failure that a waiting caller gets, with the partial results and the recovery options. */
export function failureOf(
  record: ExecutionRecord,
  estimate: FlowEstimate,
  callback: Callback | undefined,
  now: Date,
): Failure {
  const { code, message, details, retry } = describeWaitedFailure(record, callback, now)
  return executionFailure(code, {
    message,
    details: { ...details, recovery_options: recoveryOf(record, estimate) },
    ...retry,
  })
}
