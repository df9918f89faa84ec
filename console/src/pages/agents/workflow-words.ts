import type { WorkflowEntry } from './workflow-queries.ts'

/** The execution order of a workflow's agents. */
export function describeMode(mode: WorkflowEntry['mode']): string {
  return mode === 'sequential' ? 'in sequence' : 'in parallel'
}
