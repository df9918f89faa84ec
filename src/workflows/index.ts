export type { WorkflowsOptions } from './route-options.ts'
export { flowStateEventTypes } from './routes/flows/state-routes.ts'
export { humanTaskEventTypes } from './routes/human-tasks/record-answer.ts'
export { createWorkflows, type Workflows } from './workflows.ts'
