/**
 * Executions per statement. Enough to make the overhead of a statement small, and few enough that of the fifty executions of a process
 * some continue while others are committed: with all fifty in one commit, process and database would take turns idling.
 */
export const maxPerBatch = 32
