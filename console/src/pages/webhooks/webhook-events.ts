import type { WebhookApi } from './webhook-search.ts'

interface KnownEvent {
  readonly name: string
  readonly about: string
}

/** What webhooks can hear of, in the words of each interface. */
export const eventsOf: Readonly<Record<WebhookApi, readonly KnownEvent[]>> = {
  workflows: [
    { name: 'flow.execution.started', about: 'The first step of an execution may begin.' },
    { name: 'flow.execution.completed', about: 'An execution has succeeded.' },
    { name: 'flow.execution.failed', about: 'An execution has failed, or was cancelled.' },
    { name: 'flow.step.completed', about: 'A step is over, whether it succeeded or not.' },
    { name: 'agent.decision.made', about: 'An agent chose how an execution goes on.' },
    { name: 'cost.threshold.exceeded', about: 'An execution has reached a cost that was to be told.' },
    { name: 'performance.degradation.detected', about: 'A flow takes far longer than it usually does.' },
  ],
  orchestra: [
    { name: 'workflow.completed', about: 'A workflow has succeeded.' },
    { name: 'workflow.failed', about: 'A workflow has failed, or was cancelled.' },
    { name: 'agent.performance_alert', about: 'An agent does clearly worse than it usually does.' },
    { name: 'system.cost_threshold', about: 'A cost has reached a limit that was to be told.' },
  ],
}
