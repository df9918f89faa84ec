export type { WorkflowsOptions } from './route-options.ts'
export { createWorkflows, type Workflows } from './workflows.ts'
