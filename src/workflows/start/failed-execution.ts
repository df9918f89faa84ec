import type { ExecutionRecord, FlowEstimate } from '#engine'
import {
  type Callback,
  describeCallback,
  describeFailure,
  executionFailure,
  recoveryOf,
  secondsLeftInUtcDay,
} from '#executions-api'
import type { Failure } from '#kernel/errors'

/** An execution that did not complete, as the failure its caller gets: with what it made, and what can be done about it. */
export function failureOf(
  record: ExecutionRecord,
  estimate: FlowEstimate,
  callback: Callback | undefined,
  now: Date,
): Failure {
  const { code, message, details } = describeFailure(record)
  return executionFailure(code, {
    message,
    details: {
      ...details,
      ...(callback !== undefined && { callback_info: describeCallback(callback) }),
      recovery_options: recoveryOf(record, estimate),
    },
    ...(code === 'INSUFFICIENT_CREDITS' && { retryAfterSeconds: secondsLeftInUtcDay(now) }),
  })
}
