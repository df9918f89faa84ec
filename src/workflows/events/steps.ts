import { costIn, type Teller } from '#runs'

/** A step that is over. One that failed is told too: `success` is false, and `error` says why. */
export const stepCompleted: Teller = {
  name: 'flow.step.completed',
  of: ['step_completed', 'step_failed'],
  estimates: false,
  describe: ({ event: { data }, record }) => ({
    execution_id: record.id,
    flow_id: record.flowId,
    step_id: data['step_id'] ?? null,
    step_type: data['step_type'] ?? null,
    item: data['item'] ?? null,
    success: data['success'] === true,
    duration: data['duration'] ?? null,
    tokens_used: data['tokens_used'] ?? null,
    ...costIn(data),
    error: data['error'] ?? null,
  }),
}
