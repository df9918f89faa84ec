import { randomUUID } from 'node:crypto'
import { type Database, retryWhenUnavailable } from '#kernel/database'

/** The table in which workers record the start of a step, independent of the engine under test. */
export const runTable = `
  create table chaos_runs (
    id uuid primary key,
    execution_id uuid not null,
    step_id text not null,
    worker text not null,
    -- of the execution, as it stands when the step begins
    fence bigint not null,
    -- whether the outcome of the step was on disk already
    was_over boolean not null,
    started_at timestamptz not null
  );
  create index on chaos_runs (worker, started_at);
  create index on chaos_runs (execution_id)
`

const noteStatement = `
  insert into chaos_runs (id, execution_id, step_id, worker, fence, was_over, started_at)
  select $1, $2, $3, $4, execution.work_fence,
    exists (select 1 from engine_steps where execution_id = $2 and step_id = $3),
    statement_timestamp()
  from engine_executions as execution where execution.id = $2
  on conflict (id) do nothing
`

/** Records the start of a run. It has started once this is committed. */
export async function noteRun(
  database: Database,
  run: { readonly executionId: string; readonly stepId: string; readonly worker: string },
  signal: AbortSignal,
): Promise<void> {
  const id = randomUUID()
  await retryWhenUnavailable(
    () => database.query(noteStatement, [id, run.executionId, run.stepId, run.worker]),
    { signal },
  )
}
