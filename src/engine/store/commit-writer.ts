import { randomInt } from 'node:crypto'
import {
  createBatchWriter,
  type Database,
  isTaken,
  type StoreOutcome,
  storableJson,
  storeInGroups,
  valueOfOutcome,
} from '#kernel/database'
import type { CancelRequest } from '../execution/held-execution.ts'
import { endShards } from './admission.ts'
import {
  type ArrayParameter,
  bigIntegers,
  booleans,
  integers,
  jsons,
  smallIntegers,
  texts,
  timestamps,
  unnest,
  uuids,
} from './binary-arrays.ts'
import type { Commit, StepOutcome } from './commit.ts'
import { mostTogether } from './most-together.ts'
import { packDetails } from './outcome-details.ts'

export interface CommitWriter extends AsyncDisposable {
  /** Resolves once it is on disk, or is known not to be. Of one execution, a commit comes when the one before it has resolved. */
  write(commit: Commit): Promise<CommitOutcome>
}

interface CommitOutcome {
  /** False: the execution is no longer ours, and nothing was written. */
  readonly written: boolean
  /** Somebody wants the execution to end. */
  readonly cancel: CancelRequest | null
}

/** Of the columns of commits, and of those of their steps. */
const commitTypes =
  'uuid uuid int8 bool int8 int8 text text json bool int4 text bool timestamptz timestamptz text'.split(' ')
const stepTypes = 'int4 int4 text int4 text int2 timestamptz timestamptz text text text text int8 text'.split(
  ' ',
)

interface Variant {
  /** For commits that may be stored already. */
  readonly isAgain: boolean
  /** Removes the outputs that an execution is not to keep, with its end. */
  readonly removes: boolean
}

/** Rows are looked up by execution and updated by their address: a join with a table without statistics would read all of it. */
const removedOutputs = `
  removed as (
    update engine_steps set output = null
    where ctid = any(array(
      select made.address from held
      cross join lateral (
        select ctid as address from engine_steps
        where execution_id = held.id and output is not null and not held.kept::jsonb ? step_id
        offset 0
      ) as made
      where held.kept is not null
    ))
  ),`

const storeOnce = 'on conflict do nothing returning execution_id, first_seq'

/**
 * Whoever holds the execution may write: worker and fence are checked under a lock on its row, in the statement that writes. A
 * step that has an outcome keeps it. The row of the execution itself is only written anew when it begins or ends, or when its money changed.
 */
const statementOf = ({ isAgain, removes }: Variant) => `
  with given as materialized (
    select * from ${unnest(1, commitTypes)} with ordinality as it (
      id, worker, fence, begins, spent, reserved, status, error, facts, counted, first_seq, entries, publishes,
      started_at, finished_at, kept_at_end, nth
    )
  ),
  held as materialized (
    select given.*, execution.account_id, execution.cancel,
      given.begins or given.status is not null or given.spent <> execution.spent or given.reserved <> execution.reserved as changes,
      case when given.status = 'cancelled' and execution.cancel -> 'cleanup' = 'true' then '[]' else given.kept_at_end end as kept
    from given
    -- Looked up one by one, by its key: a join that was planned while the table was empty would read all of it.
    cross join lateral (
      select account_id, cancel, spent, reserved
      from engine_executions
      where id = given.id and work_worker = given.worker and work_fence = given.fence
      for no key update
    ) as execution
  ),
  changed as (
    update engine_executions as execution
    set spent = held.spent,
      reserved = held.reserved,
      status = coalesce(held.status, 'running'),
      error = held.error::jsonb,
      facts = held.facts,
      -- By the clock of the worker, like the times of the steps: an execution never starts after its first step.
      started_at = held.started_at,
      finished_at = held.finished_at,
      work_state = case when held.status is null then 'running' else 'finished' end,
      work_worker = case when held.status is null then execution.work_worker end
    from held
    -- The bounds always hold. They say that few rows are meant, however the table looked when this was planned: else all of it is read.
    where execution.id = held.id and held.changes and held.nth between 1 and 1000000
  ),
  ended as (
    insert into engine_account_ends as known (account_id, shard, ended)
    select account_id, $${commitTypes.length + 1}::smallint, count(*) from held
    where status is not null
    group by account_id
    order by account_id
    on conflict (account_id, shard) do update set ended = known.ended + excluded.ended
  ),
  finished as (
    insert into engine_finished (execution_id)
    select id from held where counted
  ),
  steps as (
    insert into engine_steps (
      execution_id, item, step_id, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent, first_seq,
      entries
    )
    select held.id, it.item, it.step_id, it.seq, it.state, it.attempts, it.started_at, it.finished_at,
      ${removes ? 'case when held.kept is null or held.kept::jsonb ? it.step_id then it.output end' : 'it.output'}, it.choice, it.error,
      it.details, it.spent, case when it.entries is not null then held.first_seq end, it.entries
    from ${unnest(commitTypes.length + 2, stepTypes)} as it (
      commit, item, step_id, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent, entries
    )
    join held on held.nth = it.commit
    ${isAgain ? storeOnce : ''}
  ),
  ${removes ? removedOutputs : ''}
  journal as (
    insert into engine_journal (execution_id, first_seq, entries)
    select id, first_seq, entries from held where entries is not null
    ${isAgain ? storeOnce : ''}
  ),
  outbox as (
    insert into engine_outbox (execution_id, first_seq, account_id)
    select id, first_seq, account_id from held
    where publishes ${isAgain ? 'and (id, first_seq) in (select * from steps union all select * from journal)' : ''}
  )
  select nth, cancel from held
`

const commitStatement = statementOf({ isAgain: false, removes: false })

/**
 * For a commit that may be there already, because its answer was lost: its events may have been dispatched since, so only those that
 * are stored now go into the outbox. To look before each row is a fifteenth of the work.
 */
const commitAgainStatement = statementOf({ isAgain: true, removes: false })

/** For commits of which at least one may remove outputs. */
const removingStatement = statementOf({ isAgain: true, removes: true })

/** Commits of all executions in this process share statements: those that wait together are written together. */
export function createCommitWriter(database: Pick<Database, 'query'>): CommitWriter {
  const shard = randomInt(endShards)
  const textOf = createDateTexts()
  const writer = createBatchWriter<PreparedCommit, StoreOutcome<CommitOutcome>>({
    flush,
    maxItems: mostTogether,
  })

  function flush(commits: readonly PreparedCommit[]): Promise<StoreOutcome<CommitOutcome>[]> {
    return storeInGroups(commits, { lengthOf: ({ length }) => length, store })
  }

  async function write(values: readonly unknown[], removes: boolean): Promise<HeldRow[]> {
    // Without a name it is planned each time: a plan that was made while the table of steps was small would read all of it.
    if (removes) return await database.query<HeldRow>(removingStatement, values)
    try {
      return await database.query<HeldRow>(commitStatement, values, 'engine_commit')
    } catch (error) {
      if (!isTaken(error)) throw error
      return await database.query<HeldRow>(commitAgainStatement, values, 'engine_commit_again')
    }
  }

  async function store(commits: readonly PreparedCommit[]): Promise<CommitOutcome[]> {
    const values = [...commitColumns(commits), shard, ...stepColumns(commits)]
    const rows = await write(values, commits.some(mayRemoveOutputs))
    const held = new Map(rows.map(({ nth, cancel }) => [nth, { written: true, cancel }]))
    return commits.map((_, index) => held.get(index + 1) ?? { written: false, cancel: null })
  }

  return {
    write: async (commit) => valueOfOutcome(await writer.write(prepare(commit, textOf))),
    [Symbol.asyncDispose]: () => writer.close(),
  }
}

/** A cancelled execution may have been asked to remove all of them, which its row says. */
function mayRemoveOutputs({ commit: { end } }: PreparedCommit): boolean {
  return end !== undefined && (end.status === 'cancelled' || end.keptOutputs !== undefined)
}

interface HeldRow {
  /** Which of the commits, from 1. */
  readonly nth: number
  readonly cancel: CancelRequest | null
}

/** A commit whose JSON is written, so that its length is known. */
interface PreparedCommit {
  readonly commit: Commit
  readonly steps: readonly PreparedStep[]
  readonly error: string | null
  readonly facts: string | null
  /** What happened, when it stands in a row of its own and not beside an outcome. */
  readonly entries: string | null
  readonly length: number
}

interface PreparedStep {
  readonly outcome: StepOutcome
  readonly output: string | null
  readonly choice: string | null
  readonly error: string | null
  readonly details: string
  readonly entries: string | null
}

function prepare(commit: Commit, textOf: (date: Date) => string): PreparedCommit {
  const { events, end, isBatch } = commit
  const entries =
    events.length === 0 ? null : storableJson(events.map((event) => ({ ...event, at: textOf(event.at) })))
  const isBeside = !isBatch && commit.steps.length > 0
  const steps = commit.steps.map((outcome, index) => ({
    outcome,
    output: jsonOrNull(outcome.output),
    choice: jsonOrNull(outcome.choice),
    error: jsonOrNull(outcome.error),
    details: storableJson(packDetails(outcome.details)),
    entries: isBeside && index === 0 ? entries : null,
  }))
  const facts = end === undefined ? null : storableJson(end.facts)
  return {
    commit,
    steps,
    error: jsonOrNull(end?.error),
    facts,
    entries: isBeside ? null : entries,
    length: steps.reduce(
      (sum, { output, details }) => sum + (output?.length ?? 0) + details.length + 300,
      (entries?.length ?? 0) + (facts?.length ?? 0) + 300,
    ),
  }
}

/** Of many dates in a row that are the same, or almost, each is written once. JSON of plain values alone is made in half the time. */
function createDateTexts(): (date: Date) => string {
  let lastMs = Number.NaN
  let lastText = ''
  return (date) => {
    if (date.getTime() !== lastMs) {
      lastMs = date.getTime()
      lastText = date.toISOString()
    }
    return lastText
  }
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : storableJson(value)
}

/** In the order of the first parameters of the statement. */
function commitColumns(prepared: readonly PreparedCommit[]): ArrayParameter[] {
  const commits = prepared.map(({ commit }) => commit)
  return [
    uuids(commits.map(({ executionId }) => executionId)),
    uuids(commits.map(({ workerId }) => workerId)),
    bigIntegers(commits.map(({ fence }) => fence)),
    booleans(commits.map(({ begins }) => begins)),
    bigIntegers(commits.map(({ spent }) => spent)),
    bigIntegers(commits.map(({ reserved }) => reserved)),
    texts(commits.map(({ end }) => end?.status ?? null)),
    texts(prepared.map(({ error }) => error)),
    jsons(prepared.map(({ facts }) => facts)),
    booleans(commits.map(({ end }) => end?.counted ?? false)),
    integers(commits.map(({ events }) => events[0]?.seq ?? 0)),
    texts(prepared.map(({ entries }) => entries)),
    booleans(commits.map(({ publishes, events }) => publishes && events.length > 0)),
    timestamps(commits.map(({ startedAt }) => startedAt)),
    timestamps(commits.map(({ end }) => end?.finishedAt ?? null)),
    texts(
      commits.map(({ end }) => (end?.keptOutputs === undefined ? null : JSON.stringify(end.keptOutputs))),
    ),
  ]
}

/** In the order of the last ones. */
function stepColumns(prepared: readonly PreparedCommit[]): ArrayParameter[] {
  const steps = prepared.flatMap((it) => it.steps)
  const outcomes = steps.map(({ outcome }) => outcome)
  return [
    integers(prepared.flatMap((it, index) => it.steps.map(() => index + 1))),
    integers(outcomes.map(({ item }) => item)),
    texts(outcomes.map(({ stepId }) => stepId)),
    integers(outcomes.map(({ seq }) => seq)),
    texts(outcomes.map(({ state }) => state)),
    smallIntegers(outcomes.map(({ attempts }) => attempts)),
    timestamps(outcomes.map(({ startedAt }) => startedAt)),
    timestamps(outcomes.map(({ finishedAt }) => finishedAt)),
    texts(steps.map(({ output }) => output)),
    texts(steps.map(({ choice }) => choice)),
    texts(steps.map(({ error }) => error)),
    texts(steps.map(({ details }) => details)),
    bigIntegers(outcomes.map(({ spent }) => spent)),
    texts(steps.map(({ entries }) => entries)),
  ]
}
