/** The events webhooks of the Workflows API can subscribe to. */
export const workflowsEvents = [
  'flow.execution.started',
  'flow.execution.completed',
  'flow.execution.failed',
  'flow.step.completed',
  'agent.decision.made',
  'cost.threshold.exceeded',
  'performance.degradation.detected',
] as const
