import { executionMs } from '#engine'
import { describeProgress, dollars, expectationOf, seconds, type Teller } from '#runs'

/** With each step that is over, and in a batch with each item. */
export const progress: Teller = {
  name: 'workflow.progress',
  of: ['step_completed', 'step_failed', 'item_finished'],
  estimates: true,
  describe({ event, record, estimate }) {
    const isUnit = (record.input.batch === undefined) !== (event.type === 'item_finished')
    if (!isUnit) return undefined
    const expected = expectationOf(record, estimate, event.at)
    const told = describeProgress(record, expected, event.at)
    return {
      execution_id: record.id,
      workflow_id: record.flowId,
      workflow_version: record.flowVersion,
      status: 'running',
      step_id: event.data['step_id'] ?? null,
      item: event.data['item'] ?? null,
      progress_percentage: told.overall_percentage,
      steps_completed: told.steps_completed,
      steps_remaining: told.steps_remaining,
      elapsed_time: seconds(executionMs(record, event.at) ?? 0),
      remaining_time: expected.remainingMs === null ? null : seconds(expected.remainingMs),
      cost: dollars(record.spent),
    }
  },
}
