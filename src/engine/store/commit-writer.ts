import { randomInt } from 'node:crypto'
import {
  createGroupWriter,
  type Database,
  isUniqueViolation,
  largeItem,
  storableJson,
} from '#kernel/database'
import { JsonText } from '#kernel/json-text'
import type { CancelRequest } from '../execution/leased-execution.ts'
import { packDetails } from '../execution/stats.ts'
import { endShards } from './admission.ts'
import {
  type ArrayParameter,
  bigIntegers,
  booleans,
  integers,
  jsons,
  maxPerBatch,
  smallIntegers,
  texts,
  timestamps,
  unnest,
  uuids,
} from './binary-arrays.ts'
import type { Commit, StepOutcome } from './commit.ts'
import { type LargeOutputs, maxRowBytes } from './large-outputs.ts'
import { needsSuspensionParts, suspensionColumns, suspensionParts } from './suspension-statement.ts'

export interface CommitWriter extends AsyncDisposable {
  /** Resolves once the commit is on disk or was rejected. Commits of one execution must be written one after the other. */
  write(commit: Commit): Promise<CommitOutcome>
}

interface CommitOutcome {
  /** False: the worker no longer has the lease, and nothing was written. */
  readonly written: boolean
  /** The stored request to cancel the execution, if there is one. */
  readonly cancel: CancelRequest | null
  /** The commit has suspended the execution. */
  readonly suspended: boolean
  /** The length of its outcomes and events as they were serialised, also of those in the object store. */
  readonly bytes: number
}

type StoredCommit = Omit<CommitOutcome, 'bytes'>

/** Column types of commits, and of their steps. */
const commitTypes =
  'uuid uuid int8 bool int8 int8 text text json bool int4 text bool timestamptz timestamptz text text'.split(
    ' ',
  )
const stepTypes = 'int4 int4 text int4 text int2 timestamptz timestamptz text text text text int8 text'.split(
  ' ',
)

interface Variant {
  /** For commits that may be stored already. */
  readonly isRetry: boolean
  /** Also removes the outputs that the execution does not keep after its end. */
  readonly removesOutputs: boolean
  /** Also stores waits, and suspends executions. */
  readonly suspends: boolean
}

/** Rows are looked up by execution and updated by ctid: the plan of a join with a table without statistics would scan all of it. */
const removedOutputs = `
  removed as (
    update engine_steps set output = null
    where ctid = any(array(
      select stored.address from leased
      cross join lateral (
        select ctid as address from engine_steps
        where execution_id = leased.id and output is not null and not leased.kept::jsonb ? step_id
        offset 0
      ) as stored
      where leased.kept is not null
    ))
  ),`

/** After the parameters of commits, the shard, and those of steps. */
const suspension = suspensionParts(commitTypes.length + 2 + stepTypes.length)

const storeOnce = 'on conflict do nothing returning execution_id, first_seq'

/**
 * Only the worker with the lease may write: the statement that writes also checks worker and fence under a lock on the row. A stored
 * outcome is never overwritten. The row of the execution is updated only when its status, its cost or its totals change.
 */
const statementOf = ({ isRetry, removesOutputs, suspends }: Variant) => `
  with given as materialized (
    select it.*${suspends ? suspension.wanted : ''}
    from ${unnest(1, commitTypes)} with ordinality as it (
      id, worker, fence, begins, spent, reserved, status, error, facts, counted, first_seq, entries, has_subscribers,
      started_at, finished_at, kept_at_end, totals, nth
    )
    ${suspends ? suspension.join : ''}
    -- All statements lock the rows of several executions in the order of their ids. In the order of arrival, a batch and an event for the
    -- same executions would deadlock.
    order by it.id
  ),
  leased as materialized (
    select given.*, execution.account_id, execution.cancel,
      given.begins or given.status is not null or given.spent <> execution.spent or given.reserved <> execution.reserved or given.totals is not null as changes,
      case when given.status = 'cancelled' and execution.cancel -> 'cleanup' = 'true' then '[]' else given.kept_at_end end as kept${suspends ? suspension.columns : ''}
    from given
    -- Looked up one by one, by key: a join that was planned while the table was empty would scan all of it.
    cross join lateral (
      select account_id, cancel, spent, reserved${suspends ? ', wakes' : ''}
      from engine_executions
      where id = given.id and work_worker = given.worker and work_fence = given.fence
      for no key update
    ) as execution
  ),
  changed as (
    update engine_executions as execution
    set spent = leased.spent,
      reserved = leased.reserved,
      status = coalesce(leased.status, 'running'),
      error = leased.error::jsonb,
      facts = leased.facts,
      totals = coalesce(leased.totals::jsonb, execution.totals),
      -- From the worker's clock, like the times of the steps: an execution never starts after its first step.
      started_at = leased.started_at,
      finished_at = leased.finished_at,
      ${suspends ? suspension.assignments : ''}
      work_state = case ${suspends ? `when leased.suspended then 'suspended'` : ''} when leased.status is null then 'running' else 'finished' end,
      work_worker = case when leased.status is null ${suspends ? 'and not leased.suspended' : ''} then execution.work_worker end
    from leased
    -- The bounds are always true. They make the planner expect few rows, so that it does not choose a scan of the whole table.
    where execution.id = leased.id and ${suspends ? '(leased.changes or leased.suspended)' : 'leased.changes'} and leased.nth between 1 and 1000000
  ),
  ended as (
    insert into engine_account_ends as known (account_id, shard, ended)
    select account_id, $${commitTypes.length + 1}::smallint, count(*) from leased
    where status is not null ${suspends ? 'or suspended' : ''}
    group by account_id
    order by account_id
    on conflict (account_id, shard) do update set ended = known.ended + excluded.ended
  ),
  finished as (
    insert into engine_finished (execution_id)
    select id from leased where counted
  ),
  steps as (
    insert into engine_steps (
      execution_id, item, step_id, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent, first_seq,
      entries
    )
    select leased.id, it.item, it.step_id, it.seq, it.state, it.attempts, it.started_at, it.finished_at,
      ${removesOutputs ? 'case when leased.kept is null or leased.kept::jsonb ? it.step_id then it.output end' : 'it.output'}, it.choice, it.error,
      it.details, it.spent, case when it.entries is not null then leased.first_seq end, it.entries
    from ${unnest(commitTypes.length + 2, stepTypes)} as it (
      commit, item, step_id, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent, entries
    )
    join leased on leased.nth = it.commit
    ${isRetry ? storeOnce : ''}
  ),
  ${removesOutputs ? removedOutputs : ''}
  ${suspends ? suspension.waits : ''}
  journal as (
    insert into engine_journal (execution_id, first_seq, entries)
    select id, first_seq, entries from leased where entries is not null ${suspends ? 'and (suspended or not wants_suspension)' : ''}
    ${isRetry ? storeOnce : ''}
  ),
  outbox as (
    insert into engine_outbox (execution_id, first_seq, account_id)
    select id, first_seq, account_id from leased
    where has_subscribers ${isRetry ? 'and (id, first_seq) in (select * from steps union all select * from journal)' : ''}
  )
  select nth, cancel${suspends ? ', suspended' : ''} from leased
`

const commitStatement = statementOf({ isRetry: false, removesOutputs: false, suspends: false })

/**
 * For a commit that may be stored already, because the response to the first try was lost. Its events may have been dispatched since,
 * so only events stored by this statement go into the outbox. The conflict checks add one fifteenth to the cost of a commit.
 */
const retryStatement = statementOf({ isRetry: true, removesOutputs: false, suspends: false })

/** For batches in which at least one commit may remove outputs. */
const removingStatement = statementOf({ isRetry: true, removesOutputs: true, suspends: false })

/** For batches in which at least one commit opens waits or suspends its execution. */
const suspendingStatement = statementOf({ isRetry: true, removesOutputs: true, suspends: true })

/** Writes the commits of all executions of this process in batches, one statement for each. */
export function createCommitWriter(
  database: Pick<Database, 'query'>,
  outputs: Pick<LargeOutputs, 'store'>,
): CommitWriter {
  const shard = randomInt(endShards)
  const textOf = createDateTexts()
  const writer = createGroupWriter<PreparedCommit, StoredCommit>({
    lengthOf: ({ length }) => length,
    store,
    maxItems: maxPerBatch,
    // The database takes up to a second to compress and store some megabytes.
    apartFrom: largeItem,
  })

  async function write(commits: readonly PreparedCommit[]): Promise<LeasedRow[]> {
    const values = [...commitColumns(commits), shard, ...stepColumns(commits)]
    const given = commits.map(({ commit }) => commit)
    // Not prepared statements: a plan cached while the table of steps was small would scan all of it.
    if (given.some(needsSuspensionParts))
      return await database.query<LeasedRow>(suspendingStatement, [...values, ...suspensionColumns(given)])
    if (given.some(mayRemoveOutputs)) return await database.query<LeasedRow>(removingStatement, values)
    try {
      return await database.query<LeasedRow>(commitStatement, values, 'engine_commit')
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      return await database.query<LeasedRow>(retryStatement, values, 'engine_commit_again')
    }
  }

  async function store(commits: readonly PreparedCommit[]): Promise<StoredCommit[]> {
    const rows = await write(commits)
    const leased = new Map(
      rows.map(({ nth, cancel, suspended = false }) => [nth, { written: true, cancel, suspended }]),
    )
    return commits.map((_, index) => leased.get(index + 1) ?? lostLease)
  }

  return {
    async write(commit) {
      const prepared = prepare(commit, textOf)
      const isLarge = prepared.steps.some(({ output }) => output !== null && output.length > maxRowBytes / 3)
      const storable = isLarge ? await storeLarge(prepared, outputs) : prepared
      return { ...(await writer.write(storable)), bytes: prepared.length }
    },
    [Symbol.asyncDispose]: () => writer.close(),
  }
}

/** Stores large outputs before the commit, which then has references in their place. */
async function storeLarge(
  prepared: PreparedCommit,
  outputs: Pick<LargeOutputs, 'store'>,
): Promise<PreparedCommit> {
  const { executionId } = prepared.commit
  let length = prepared.length
  const steps: PreparedStep[] = []
  for (const step of prepared.steps) {
    const output = step.output === null ? null : await outputs.store(executionId, step.output)
    length -= (step.output?.length ?? 0) - (output?.length ?? 0)
    steps.push({ ...step, output })
  }
  return { ...prepared, steps, length }
}

const lostLease: StoredCommit = { written: false, cancel: null, suspended: false }

/** The cancel request in the row of a cancelled execution may ask to remove all outputs. */
function mayRemoveOutputs({ end }: Commit): boolean {
  return end !== undefined && (end.status === 'cancelled' || end.keptOutputs !== undefined)
}

interface LeasedRow {
  /** The position of the commit in the batch, from 1. */
  readonly nth: number
  readonly cancel: CancelRequest | null
  /** Undefined: no commit of the batch could suspend its execution. */
  readonly suspended?: boolean
}

/** A commit with its JSON serialised, so that its length is known. */
interface PreparedCommit {
  readonly commit: Commit
  readonly steps: readonly PreparedStep[]
  readonly error: string | null
  readonly facts: string | null
  /** The events, when they go into a row of the journal and not beside an outcome. */
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
      (entries?.length ?? 0) + (facts?.length ?? 0) + waitsLength(commit) + 300,
    ),
  }
}

function waitsLength({ waits }: Commit): number {
  return waits === undefined
    ? 0
    : waits.reduce((sum, { request }) => sum + storableJson(request).length + 300, 0)
}

/** Reuses the text of a date that follows an equal one. Serialising events without Date objects takes half the time. */
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
  if (value instanceof JsonText) return value.text
  return value === null || value === undefined ? null : storableJson(value)
}

/** In the order of `commitTypes`. */
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
    booleans(commits.map(({ hasSubscribers, events }) => hasSubscribers && events.length > 0)),
    timestamps(commits.map(({ startedAt }) => startedAt)),
    timestamps(commits.map(({ end }) => end?.finishedAt ?? null)),
    texts(
      commits.map(({ end }) => (end?.keptOutputs === undefined ? null : JSON.stringify(end.keptOutputs))),
    ),
    texts(commits.map(({ totals }) => (totals === undefined ? null : JSON.stringify(totals)))),
  ]
}

/** In the order of `stepTypes`. */
function stepColumns(prepared: readonly PreparedCommit[]): ArrayParameter[] {
  const steps = prepared.flatMap((commit) => commit.steps)
  const outcomes = steps.map(({ outcome }) => outcome)
  return [
    integers(prepared.flatMap((commit, index) => commit.steps.map(() => index + 1))),
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
