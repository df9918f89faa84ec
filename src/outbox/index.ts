export { createDispatcher, createEstimates } from './dispatcher.ts'
export type { EstimateExecution, Publisher } from './event-mapper.ts'
export { createHumanTaskPublisher } from './human-task-publisher.ts'
export { createNotificationsPublisher } from './notification-publisher.ts'
export { orchestraEventSamples, orchestraEvents } from './orchestra-events/event-samples.ts'
export { createOrchestraPublisher } from './orchestra-events/publisher.ts'
export { createOutbox, type Outbox } from './outbox.ts'
export { openStreamPresence, type StreamPresence } from './stream-presence.ts'
export {
  createStreamTail,
  type StreamEntry,
  type StreamTail,
  streamEventTypes,
  toStreamEntry,
} from './stream-tail.ts'
export { createSubscribers, type Subscribers } from './subscribers.ts'
export { createTriggerPublisher } from './trigger-publisher.ts'
export { workflowsEvents } from './workflows-events/event-mappers.ts'
export { workflowsEventSamples } from './workflows-events/event-samples.ts'
export { createWorkflowsPublisher } from './workflows-events/publisher.ts'
