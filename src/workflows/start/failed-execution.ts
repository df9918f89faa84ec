import { type ExecutionRecord, type FlowEstimate, recoveryOptionsOf } from '#engine'
import type { Failure } from '#kernel/errors'
import { type Callback, describeCallback, secondsLeftInUtcDay } from '#runs'
import { describeFailure } from '../bodies/failure.ts'
import { executionFailure } from '../errors.ts'

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

export function recoveryOf(record: ExecutionRecord, { steps }: Pick<FlowEstimate, 'steps'>) {
  const known = new Map(steps.map((step) => [step.stepId, step]))
  return recoveryOptionsOf(record, (stepId) => {
    const step = known.get(stepId)
    return step && { microDollars: step.cost.value, ms: step.duration.value }
  })
}
