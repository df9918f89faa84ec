import type { ExecutionEvent } from '#engine'
import type { EventMapper } from '../event-mapper.ts'

/**
 * | alert_type    | period      | means                                                                           |
 * |---------------|-------------|---------------------------------------------------------------------------------|
 * | `cost_alert`  | `execution` | the spend of an execution reached one of the `cost_alerts` of its workflow       |
 * | `over_budget` | `execution` | its next call could exceed the budget, and it continues anyway                  |
 * | `daily_limit` | `day`       | the account reached 80 or 100 % of its daily budget                             |
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

export const costThreshold: EventMapper = {
  name: 'system.cost_threshold',
  of: ['cost_alert', 'over_budget'],
  estimates: false,
  describe: ({ event, record }) => ({
    ...describeCostAlert(event, record.spent / 1e6),
    execution_id: record.id,
    workflow_id: record.flowId,
  }),
}
