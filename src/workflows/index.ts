export { createAudience } from './events/audience.ts'
export { createEventDispatcher } from './events/dispatcher.ts'
export type { WorkflowsOptions } from './route-options.ts'
export { createWorkflows, type Workflows } from './workflows.ts'
