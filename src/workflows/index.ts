export { createWorkflowsTelling } from './events/telling.ts'
export type { WorkflowsOptions } from './route-options.ts'
export { createWorkflows, type Workflows } from './workflows.ts'
