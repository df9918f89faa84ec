import { dollars, type Teller } from '#runs'

/**
 * | alert_type    | means                                                                               |
 * |---------------|-------------------------------------------------------------------------------------|
 * | `cost_alert`  | what was spent has reached one of the `cost_alerts` of the flow                     |
 * | `over_budget` | the next call could pass the budget, in a flow that goes on all the same            |
 */
export const costThreshold: Teller = {
  name: 'cost.threshold.exceeded',
  of: ['cost_alert', 'over_budget'],
  estimates: false,
  describe: ({ event: { type, data }, record }) => ({
    execution_id: record.id,
    flow_id: record.flowId,
    alert_type: type,
    threshold: (type === 'cost_alert' ? data['threshold'] : data['budget']) ?? null,
    current_cost: data['spent'] ?? dollars(record.spent),
    possible_cost: data['could_cost'] ?? null,
  }),
}
