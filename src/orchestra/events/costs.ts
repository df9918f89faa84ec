import type { ExecutionEvent } from '#engine'
import type { Teller } from '#runs'

/**
 * | alert_type    | period      | means                                                                           |
 * |---------------|-------------|---------------------------------------------------------------------------------|
 * | `cost_alert`  | `execution` | what an execution has spent has reached one of the `cost_alerts` of its workflow |
 * | `over_budget` | `execution` | its next call could pass the budget, and it goes on all the same                |
 * | `daily_limit` | `day`       | the account has reached 80 or 100 % of what it may spend on a day               |
 */
export function describeCostAlert({ type, data }: Pick<ExecutionEvent, 'type' | 'data'>, spent: number) {
  return {
    alert_type: type,
    current_cost: data['spent'] ?? spent,
    threshold: (type === 'cost_alert' ? data['threshold'] : data['budget']) ?? null,
    period: 'execution',
    possible_cost: data['could_cost'] ?? null,
  }
}

export const costThreshold: Teller = {
  name: 'system.cost_threshold',
  of: ['cost_alert', 'over_budget'],
  estimates: false,
  describe: ({ event, record }) => ({
    ...describeCostAlert(event, record.spent / 1e6),
    execution_id: record.id,
    workflow_id: record.flowId,
  }),
}
