import type { ExecutionRecord } from '#engine'
import { describeSharedMemory } from './shared-memory.ts'

/** Why an execution did not succeed, with what it made before. The code is the engine's, or `EXECUTION_CANCELLED`. */
export function describeFailure(record: ExecutionRecord) {
  const { id, status, error, outcomes } = record
  const failed = outcomes.findLast(
    ({ stepId, state, error: reason }) =>
      state === 'failed' && reason !== null && (error?.step === undefined || error.step === stepId),
  )
  const completed = outcomes.filter(({ state }) => state === 'completed')
  const timeout = error?.details?.['timeout_duration']
  return {
    code: status === 'cancelled' ? 'EXECUTION_CANCELLED' : (error?.code ?? 'EXECUTION_FAILED'),
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
