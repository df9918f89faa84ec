/** What webhooks of this interface can subscribe to. */
export const workflowsEvents = [
  'flow.execution.started',
  'flow.execution.completed',
  'flow.execution.failed',
  'flow.step.completed',
  'agent.decision.made',
  'cost.threshold.exceeded',
  'performance.degradation.detected',
] as const

export type WorkflowsEvent = (typeof workflowsEvents)[number]

/** What the callback of one execution can hear. */
export type CallbackEvent =
  | 'execution.started'
  | 'execution.progress'
  | 'execution.completed'
  | 'execution.failed'
