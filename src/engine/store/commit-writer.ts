import { createBatchWriter, type Database } from '#kernel/database'
import { type Commit, joinCommits } from './commit.ts'

export interface CommitWriter extends AsyncDisposable {
  /** Resolves once it is on disk: true, or false when the execution is no longer ours and nothing was written. */
  write(commit: Commit): Promise<boolean>
}

/**
 * Whoever holds the execution may write: worker and fence are checked under a lock on its row, in the statement that writes. A
 * step that has an outcome keeps it. The row of the execution itself is only written anew when it begins or ends, or when its money changed.
 */
const commitStatement = `
  with given as materialized (
    select * from json_to_recordset($1::json) as it (
      id uuid, worker uuid, fence bigint, begins boolean, spent bigint, reserved bigint, status text, error jsonb
    )
  ),
  held as materialized (
    select execution.id, execution.work_fence as fence, execution.spent as spent_before, execution.reserved as reserved_before
    from engine_executions as execution
    join given on given.id = execution.id
      and given.worker = execution.work_worker
      and given.fence = execution.work_fence
    for no key update of execution
  ),
  changed as (
    update engine_executions as execution
    set spent = given.spent,
      reserved = given.reserved,
      status = coalesce(given.status, 'running'),
      error = given.error,
      started_at = coalesce(execution.started_at, now()),
      finished_at = case when given.status is null then null else now() end,
      work_state = case when given.status is null then 'running' else 'finished' end,
      work_worker = case when given.status is null then execution.work_worker end
    from held
    join given on given.id = held.id and given.fence = held.fence
    where execution.id = held.id
      and (
        given.begins or given.status is not null
        or given.spent <> held.spent_before or given.reserved <> held.reserved_before
      )
  ),
  steps as (
    insert into engine_steps (
      execution_id, step_id, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent
    )
    select it.execution_id, it.step_id, it.seq, it.state, it.attempts, it.started_at, it.finished_at, it.output, it.choice,
      it.error, it.details, it.spent
    from json_to_recordset($2::json) as it (
      execution_id uuid, fence bigint, step_id text, seq integer, state text, attempts smallint, started_at timestamptz,
      finished_at timestamptz, output jsonb, choice jsonb, error jsonb, details jsonb, spent bigint
    )
    join held on held.id = it.execution_id and held.fence = it.fence
    on conflict (execution_id, step_id) do nothing
  ),
  journal as (
    insert into engine_journal (execution_id, first_seq, entries)
    select it.execution_id, it.first_seq, it.entries
    from json_to_recordset($3::json) as it (execution_id uuid, fence bigint, first_seq integer, entries jsonb)
    join held on held.id = it.execution_id and held.fence = it.fence
    on conflict (execution_id, first_seq) do nothing
  )
  select id, fence from held
`

/** Commits of all executions in this process share statements: those that wait together are written together. */
export function createCommitWriter(database: Pick<Database, 'query'>): CommitWriter {
  const writer = createBatchWriter<Commit, boolean>({ flush, maxItems: 400 })

  async function flush(commits: readonly Commit[]): Promise<boolean[]> {
    const byClaim = new Map<string, Commit>()
    for (const commit of commits) {
      const claim = claimName(commit.executionId, commit.fence)
      const before = byClaim.get(claim)
      byClaim.set(claim, before === undefined ? commit : joinCommits(before, commit))
    }
    const held = await database.query<{ id: string; fence: number }>(
      commitStatement,
      valuesOf([...byClaim.values()]),
      'engine_commit',
    )
    const written = new Set(held.map(({ id, fence }) => claimName(id, fence)))
    return commits.map(({ executionId, fence }) => written.has(claimName(executionId, fence)))
  }

  return {
    write: (commit) => writer.write(commit),
    [Symbol.asyncDispose]: () => writer.close(),
  }
}

/** One process may hold an execution twice: anew, and still winding down from before it was lost. */
function claimName(executionId: string, fence: number): string {
  return `${fence} ${executionId}`
}

function valuesOf(commits: readonly Commit[]): string[] {
  const executions = commits.map(({ executionId, workerId, fence, begins, spent, reserved, end }) => ({
    id: executionId,
    worker: workerId,
    fence,
    begins,
    spent,
    reserved,
    status: end?.status ?? null,
    error: end?.error ?? null,
  }))
  const steps = commits.flatMap(({ executionId, fence, steps: outcomes }) =>
    outcomes.map(({ stepId, startedAt, finishedAt, ...outcome }) => ({
      ...outcome,
      execution_id: executionId,
      fence,
      step_id: stepId,
      started_at: startedAt,
      finished_at: finishedAt,
    })),
  )
  const journal = commits.flatMap(({ executionId, fence, events: [first, ...more] }) =>
    first === undefined
      ? []
      : [{ execution_id: executionId, fence, first_seq: first.seq, entries: [first, ...more] }],
  )
  return [executions, steps, journal].map((rows) => JSON.stringify(rows))
}
