import type { Database } from '#kernel/database'

export interface PruneOptions {
  readonly olderThan: Date
  readonly signal?: AbortSignal | undefined
}

const chunkSize = 500

/**
 * What ended long ago, with all that belongs to it. What waits to be added up stays until it has been, and so does what somebody is just
 * taking up again.
 */
const pruneStatement = `
  with old as materialized (
    select execution.id from engine_executions as execution
    where execution.work_state = 'finished'
      and execution.finished_at < $1
      and not exists (select from engine_finished as waiting where waiting.execution_id = execution.id)
    order by execution.finished_at
    limit ${chunkSize}
    for update skip locked
  ),
  steps as (delete from engine_steps using old where engine_steps.execution_id = old.id),
  journal as (delete from engine_journal using old where engine_journal.execution_id = old.id),
  letters as (delete from engine_dead_letters using old where engine_dead_letters.execution_id = old.id),
  executions as (delete from engine_executions using old where engine_executions.id = old.id)
  select count(*) as count from old
`

/** Deletes executions that ended earlier, in small commits that hold nobody up. Answers how many went. */
export async function pruneExecutions(
  database: Pick<Database, 'query'>,
  { olderThan, signal }: PruneOptions,
): Promise<number> {
  let total = 0
  for (;;) {
    signal?.throwIfAborted()
    const [chunk] = await database.query<{ count: number }>(pruneStatement, [olderThan])
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
  }
}
