/** The ends of executions. A trigger receives those of its own account. */
export const endEventTypes = [
  'flow.execution.completed',
  'flow.execution.failed',
  'flow.execution.cancelled',
] as const

/** All other events are those of the event log, which this permission may read. */
export const logPermission = 'administer llm'

export function isEndEvent(type: string): boolean {
  return (endEventTypes as readonly string[]).includes(type)
}
