/** What webhooks of this interface can subscribe to. */
export const orchestraEvents = [
  'workflow.completed',
  'workflow.failed',
  'agent.performance_alert',
  'system.cost_threshold',
] as const
