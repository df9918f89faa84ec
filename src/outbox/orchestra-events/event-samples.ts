import { sampleExecutionId, sampleFailure } from '../sample-values.ts'

const workflow = {
  execution_id: sampleExecutionId,
  workflow_id: 'sample_workflow',
}
const end = { ...workflow, workflow_version: 1, duration: 4.2, cost: 0.0015, unpriced: false }

/** The events webhooks of the Orchestra API can subscribe to. */
export const orchestraEvents = [
  'workflow.completed',
  'workflow.failed',
  'agent.performance_alert',
  'system.cost_threshold',
] as const

/** The data of test events: the fields of real ones, about an execution that does not exist. */
export const orchestraEventSamples: Readonly<
  Record<(typeof orchestraEvents)[number], Readonly<Record<string, unknown>>>
> = {
  'workflow.completed': {
    ...end,
    status: 'completed',
    results: { summarise: 'A sample result.' },
    results_omitted: false,
  },
  'workflow.failed': {
    ...end,
    ...sampleFailure,
    recovery: [],
  },
  'agent.performance_alert': {
    agent_id: 'sample_agent',
    period: '1h',
    executions: 10,
    degradations: [{ metric: 'success_rate', current_value: 70, baseline: 95, threshold: 75 }],
  },
  'system.cost_threshold': {
    alert_type: 'daily_limit',
    current_cost: 8,
    threshold: 8,
    period: 'day',
    percentage: 80,
    daily_cost_limit: 10,
  },
}
