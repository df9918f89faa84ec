import type { ExecutionRecord } from '#engine'
import { knownCode } from '../errors.ts'
import { type Callback, describeCallback } from '../start/callback.ts'
import { secondsLeftInUtcDay } from '../utc-day.ts'
import { describeSharedMemory } from './shared-memory.ts'

/** The failure of an execution: its code, message and partial results. A code of an older release becomes `EXECUTION_FAILED`. */
export function describeFailure(record: ExecutionRecord) {
  const { id, status, error, outcomes } = record
  const failed = outcomes.findLast(
    ({ stepId, state, error: reason }) =>
      state === 'failed' && reason !== null && (error?.step === undefined || error.step === stepId),
  )
  const completed = outcomes.filter(({ state }) => state === 'completed')
  const timeout = error?.details?.['timeout_duration']
  return {
    code: knownCode(status === 'cancelled' ? 'EXECUTION_CANCELLED' : (error?.code ?? 'EXECUTION_FAILED')),
    message:
      error?.message ?? (status === 'cancelled' ? 'The execution was cancelled.' : 'The execution failed.'),
    details: {
      ...error?.details,
      execution_id: id,
      failed_step: error?.step ?? null,
      provider: error?.provider ?? null,
      timeout_duration: typeof timeout === 'number' ? timeout : null,
      retry_attempts: Math.max(0, (failed?.attempts ?? 1) - 1),
      partial_results: {
        completed_steps: [...new Set(completed.map(({ stepId }) => stepId))],
        available_data: describeSharedMemory(record),
      },
    },
  }
}

/** The failure for a waiting caller, before an API maps its code, with the callback and the time until an exhausted budget is renewed. */
export function describeWaitedFailure(record: ExecutionRecord, callback: Callback | undefined, now: Date) {
  const { code, message, details } = describeFailure(record)
  return {
    code,
    message,
    details: { ...details, ...(callback !== undefined && { callback_info: describeCallback(callback) }) },
    retry: code === 'INSUFFICIENT_CREDITS' ? { retryAfterSeconds: secondsLeftInUtcDay(now) } : {},
  }
}
