import type { WorkflowEntry } from './workflow-bodies.ts'

/** How the agents of a workflow follow each other. */
export function describeMode(mode: WorkflowEntry['mode']): string {
  return mode === 'sequential' ? 'one after another' : 'side by side'
}
