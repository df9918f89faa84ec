import type { ExecutionRecord } from '#engine'
import type { Failure } from '#kernel/errors'
import { type Callback, describeCallback, describeFailure, secondsLeftInUtcDay } from '#runs'
import { orchestraFailure } from '../errors.ts'

/** What the engine calls the end of an execution, and what this interface calls it. Everything else is EXECUTION_FAILED. */
const codeOf = {
  INVALID_STEP: 'VALIDATION_ERROR',
  MEMORY_LIMIT_EXCEEDED: 'VALIDATION_ERROR',
  EXTERNAL_API_REFUSED: 'VALIDATION_ERROR',
  PROVIDER_UNAVAILABLE: 'PROVIDER_UNAVAILABLE',
  EXECUTION_TIMEOUT: 'TIMEOUT_ERROR',
  INSUFFICIENT_CREDITS: 'RATE_LIMIT_EXCEEDED',
  EXECUTION_CANCELLED: 'EXECUTION_CANCELLED',
} as const

/** An execution that did not complete, as the failure its caller gets: with what it had made. */
export function failureOf(record: ExecutionRecord, callback: Callback | undefined, now: Date): Failure {
  const { code: cause, message, details } = describeFailure(record)
  const code = Object.hasOwn(codeOf, cause) ? codeOf[cause as keyof typeof codeOf] : 'EXECUTION_FAILED'
  return orchestraFailure(code, {
    message,
    details: {
      workflow_id: record.flowId,
      ...details,
      cause,
      ...(callback !== undefined && { callback_info: describeCallback(callback) }),
    },
    ...(code === 'RATE_LIMIT_EXCEEDED' && { retryAfterSeconds: secondsLeftInUtcDay(now) }),
  })
}
