import type { WorkflowEntry } from './workflow-queries.ts'

/** How the agents of a workflow follow each other. */
export function describeMode(mode: WorkflowEntry['mode']): string {
  return mode === 'sequential' ? 'in sequence' : 'in parallel'
}
