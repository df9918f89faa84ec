import { randomInt } from 'node:crypto'
import {
  createBatchWriter,
  type Database,
  type StoreOutcome,
  storableJson,
  storeInGroups,
  valueOfOutcome,
} from '#kernel/database'
import type { CancelRequest } from '../execution/run-execution.ts'
import { endShards } from './admission.ts'
import type { Commit } from './commit.ts'
import { packDetails } from './outcome-details.ts'

export interface CommitWriter extends AsyncDisposable {
  /** Resolves once it is on disk, or is known not to be. */
  write(commit: Commit): Promise<CommitOutcome>
}

interface CommitOutcome {
  /** False: the execution is no longer ours, and nothing was written. */
  readonly written: boolean
  /** Somebody wants the execution to end. */
  readonly cancel: CancelRequest | null
}

/**
 * Whoever holds the execution may write: worker and fence are checked under a lock on its row, in the statement that writes. A
 * step that has an outcome keeps it. The row of the execution itself is only written anew when it begins or ends, or when its money changed.
 */
const commitStatement = `
  with given as materialized (
    select * from json_to_recordset($1::json) as it (
      id uuid, worker uuid, fence bigint, begins boolean, spent bigint, reserved bigint, status text, error jsonb, facts jsonb,
      counted boolean
    )
  ),
  held as materialized (
    select execution.* from given
    -- Looked up one by one, by its key: a join that was planned while the table was empty would read all of it.
    cross join lateral (
      select id, account_id, work_fence as fence, cancel, spent as spent_before, reserved as reserved_before
      from engine_executions
      where id = given.id and work_worker = given.worker and work_fence = given.fence
      for no key update
    ) as execution
  ),
  changed as (
    update engine_executions as execution
    set spent = given.spent,
      reserved = given.reserved,
      status = coalesce(given.status, 'running'),
      error = given.error,
      facts = given.facts,
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
  ended as (
    insert into engine_account_ends as known (account_id, shard, ended)
    select held.account_id, $4::smallint, count(*) from held
    join given on given.id = held.id and given.fence = held.fence
    where given.status is not null
    group by held.account_id
    order by held.account_id
    on conflict (account_id, shard) do update set ended = known.ended + excluded.ended
  ),
  finished as (
    insert into engine_finished (execution_id)
    select held.id from held
    join given on given.id = held.id and given.fence = held.fence
    where given.counted
  ),
  steps as (
    insert into engine_steps (
      execution_id, item, step_id, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent
    )
    select it.execution_id, it.item, it.step_id, it.seq, it.state, it.attempts, it.started_at, it.finished_at, it.output, it.choice,
      it.error, it.details, it.spent
    from json_to_recordset($2::json) as it (
      execution_id uuid, fence bigint, item integer, step_id text, seq integer, state text, attempts smallint, started_at timestamptz,
      finished_at timestamptz, output json, choice jsonb, error jsonb, details jsonb, spent bigint
    )
    join held on held.id = it.execution_id and held.fence = it.fence
    on conflict (execution_id, item, step_id) do nothing
  ),
  told as materialized (
    select it.* from json_to_recordset($3::json) as it (
      execution_id uuid, fence bigint, first_seq integer, publishes boolean, entries json
    )
    join held on held.id = it.execution_id and held.fence = it.fence
  ),
  journal as (
    insert into engine_journal (execution_id, first_seq, entries)
    select execution_id, first_seq, entries from told
    on conflict (execution_id, first_seq) do nothing
  ),
  outbox as (
    insert into engine_outbox (execution_id, first_seq)
    select execution_id, first_seq from told where publishes
  )
  select id, fence, cancel from held
`

/** Commits of all executions in this process share statements: those that wait together are written together. */
export function createCommitWriter(database: Pick<Database, 'query'>): CommitWriter {
  const shard = randomInt(endShards)
  const writer = createBatchWriter<PreparedCommit, StoreOutcome<CommitOutcome>>({ flush, maxItems: 400 })

  function flush(commits: readonly PreparedCommit[]): Promise<StoreOutcome<CommitOutcome>[]> {
    return storeInGroups(commits, { lengthOf: ({ length }) => length, store })
  }

  async function store(commits: readonly PreparedCommit[]): Promise<CommitOutcome[]> {
    // Of two commits of one execution the later numbers stand.
    const executions = new Map(commits.map(({ claim, execution }) => [claim, execution]))
    for (const { claim, begins } of commits)
      if (begins) (executions.get(claim) as ExecutionJson).begins = true
    const values = [
      JSON.stringify([...executions.values()]),
      `[${commits.flatMap(({ steps }) => steps).join(',')}]`,
      `[${commits.flatMap(({ journal }) => journal ?? []).join(',')}]`,
      shard,
    ]
    const rows = await database.query<HeldRow>(commitStatement, values, 'engine_commit')
    const held = new Map(rows.map((row) => [claimName(row.id, row.fence), row]))
    return commits.map(({ claim }) => {
      const row = held.get(claim)
      return { written: row !== undefined, cancel: row?.cancel ?? null }
    })
  }

  return {
    write: async (commit) => valueOfOutcome(await writer.write(prepare(commit))),
    [Symbol.asyncDispose]: () => writer.close(),
  }
}

interface HeldRow {
  readonly id: string
  readonly fence: number
  readonly cancel: CancelRequest | null
}

/** A commit as its statement reads it; what may be large is written as JSON once. */
interface PreparedCommit {
  readonly claim: string
  readonly begins: boolean
  readonly execution: ExecutionJson
  readonly steps: readonly string[]
  readonly journal: string | undefined
  readonly length: number
}

interface ExecutionJson {
  begins: boolean
  readonly [column: string]: unknown
}

/** One process may hold an execution twice: anew, and still winding down from before it was lost. */
function claimName(executionId: string, fence: number): string {
  return `${fence} ${executionId}`
}

/** Dates are written as text here: JSON of plain values alone is made in half the time. */
function prepare(commit: Commit): PreparedCommit {
  const { executionId, workerId, fence, begins, publishes, spent, reserved, end } = commit
  const steps = commit.steps.map(({ stepId, startedAt, finishedAt, choice, error, details, ...outcome }) =>
    storableJson({
      ...outcome,
      execution_id: executionId,
      fence,
      step_id: stepId,
      started_at: startedAt?.toISOString(),
      finished_at: finishedAt.toISOString(),
      // What is absent is null.
      choice: choice ?? undefined,
      error: error ?? undefined,
      details: packDetails(details),
    }),
  )
  const [first] = commit.events
  const journal =
    first === undefined
      ? undefined
      : storableJson({
          execution_id: executionId,
          fence,
          first_seq: first.seq,
          publishes,
          entries: commit.events.map(({ seq, at, type, data }) => ({
            seq,
            at: at.toISOString(),
            type,
            data,
          })),
        })
  return {
    claim: claimName(executionId, fence),
    begins,
    execution: {
      id: executionId,
      worker: workerId,
      fence,
      begins,
      spent,
      reserved,
      status: end?.status ?? null,
      error: end?.error ?? null,
      facts: end?.facts ?? null,
      counted: end?.counted ?? false,
    },
    steps,
    journal,
    length: steps.reduce((sum, text) => sum + text.length, (journal?.length ?? 0) + 1000),
  }
}
