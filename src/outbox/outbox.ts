import type { ExecutionEvent, ExecutionInput, ExecutionRecord } from '#engine'
import { type Database, isDatabaseUnavailable } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { createEntryCosts } from './entry-costs.ts'
import { createPlanBatch, type EntryKey, isDispatchable } from './plan-batch.ts'

type ExecutionStats = NonNullable<ExecutionRecord['facts']>
type Priority = ExecutionRecord['priority']

/** Events of one execution that subscribers may want, with the fields every publisher needs. */
export interface OutboxEntry {
  readonly executionId: string
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  /** Without the parts that may be large: the context, the memory and the items of a batch. */
  readonly input: Pick<ExecutionInput, 'callbacks' | 'options' | 'trigger_depth'>
  readonly batch: { readonly items: number; readonly size: number; readonly parallel: boolean } | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  /** Whole micro-dollars spent so far. */
  readonly spent: number
  /** Null until the execution has ended. */
  readonly facts: ExecutionStats | null
  /** In journal order. */
  readonly events: readonly ExecutionEvent[]
}

/** Publishes entries within the transaction that removes them from the outbox. */
type Dispatch = (transaction: Executor, outboxEntries: readonly OutboxEntry[]) => Promise<void>

/** An entry whose dispatch failed when it was dispatched alone. */
export interface FailedEntry extends EntryKey {
  readonly error: unknown
  /** Including this attempt. */
  readonly attempts: number
  /** The entry was moved to `engine_dead_letters` and is not retried. */
  readonly isDead: boolean
}

interface DrainResult {
  /** Entries processed; 0 when none is due or another process is dispatching. */
  readonly count: number
  readonly failed: readonly FailedEntry[]
}

/** Events that were committed and are not published yet. */
export interface Outbox {
  /**
   * Dispatches a batch of entries, bounded in number, bytes and time, in a transaction: either its events are published and its entries
   * removed, or both stay as they were. Entries of one execution are dispatched in order; processes take turns, and the accounts that
   * wait share the time of each dispatch.
   *
   * | a dispatch of        | fails                        | result                                                            |
   * |----------------------|------------------------------|-------------------------------------------------------------------|
   * | any                  | the database is unavailable  | `drain` throws; all entries stay                                  |
   * | several entries      | for another reason           | each half is dispatched separately                                |
   * | one entry            | for another reason           | retried with exponential backoff; later entries of its execution wait |
   * | one entry, six times | for another reason           | moved to the dead letters; later entries of its execution continue |
   */
  drain(take: Dispatch): Promise<DrainResult>
  /** Reports that this process committed new entries. */
  notify(): void
  /** Invokes the callback after each commit of this process that added entries. */
  onEntriesAdded(listener: () => void): Disposable
}

const maxAttempts = 6
const maxProblemLength = 2000

/** The advisory lock of the dispatching process. Every release must use the same number. */
const turnLock = 7_488_413_007

/**
 * The events of each entry are looked up one by one: for a join, without statistics of new tables, the planner reads all events that are
 * stored, and PostgreSQL parses each of them.
 */
export const takeStatement = `
  with taken as (
    delete from engine_outbox as entry
    using unnest($1::uuid[], $2::integer[]) as planned (execution_id, first_seq)
    where entry.execution_id = planned.execution_id and entry.first_seq = planned.first_seq and ${isDispatchable}
    returning entry.id, entry.execution_id, entry.first_seq
  )
  select taken.execution_id as "executionId", told.entries as events
  from taken
  cross join lateral (
    select entries from engine_events
    where execution_id = taken.execution_id and first_seq = taken.first_seq
    offset 0
  ) as told
  order by taken.id
`

/** Reads each execution once, for any number of its entries. */
const aboutStatement = `
  select id as "executionId", flow_id as "flowId", flow_version as "flowVersion", account_id as "accountId", priority,
    jsonb_build_object('callbacks', coalesce(input -> 'callbacks', '{}'), 'options', input -> 'options',
      'trigger_depth', coalesce(input -> 'trigger_depth', '0')) as input,
    case when input ? 'batch' then jsonb_build_object(
      'items', jsonb_array_length(input -> 'batch' -> 'items'), 'size', input -> 'batch' -> 'size',
      'parallel', input -> 'batch' -> 'parallel'
    ) end as batch,
    created_at as "createdAt", started_at as "startedAt", spent, facts
  from engine_executions
  where id = any($1::uuid[])
`

const postponeStatement = `
  update engine_outbox
  set attempts = attempts + 1, due_at = now() + 2 ^ attempts * interval '1 second'
  where execution_id = $1 and first_seq = $2
  returning attempts
`

const deadLetterStatement = `
  with dead as (
    delete from engine_outbox where execution_id = $1 and first_seq = $2
    returning execution_id, first_seq, account_id, attempts
  )
  insert into engine_dead_letters (execution_id, first_seq, account_id, attempts, problem)
  select execution_id, first_seq, account_id, attempts, $3 from dead
  on conflict (execution_id, first_seq) do update
  set attempts = excluded.attempts, problem = excluded.problem, failed_at = excluded.failed_at
`

interface TakenRow {
  readonly executionId: string
  readonly events: readonly (Omit<ExecutionEvent, 'at'> & { readonly at: string })[]
}

interface OutboxOptions {
  /** The clock that measures dispatches. Default: that of the process. */
  readonly nowMs?: () => number
}

/** Opens the outbox over the tables of the engine. */
export function createOutbox(
  database: Database,
  { nowMs = () => performance.now() }: OutboxOptions = {},
): Outbox {
  const listeners = new Set<() => void>()
  const costs = createEntryCosts()
  const planBatch = createPlanBatch(database, costs)

  /** Resolves to false when another process is dispatching; that process finds these entries in its next batch. */
  async function dispatch(entries: readonly EntryKey[], take: Dispatch): Promise<boolean> {
    const begunAtMs = nowMs()
    let dispatched: readonly OutboxEntry[] = []
    const isOurs = await database.transaction(async (transaction) => {
      const [turn] = await runStatement<{ isOurs: boolean }>(
        transaction,
        'select pg_try_advisory_xact_lock($1) as "isOurs"',
        [turnLock],
      )
      if (turn?.isOurs !== true) return false
      const taken = await runStatement<TakenRow>(transaction, takeStatement, [
        entries.map(({ executionId }) => executionId),
        entries.map(({ firstSeq }) => firstSeq),
      ])
      if (taken.length === 0) return true
      const ids = [...new Set(taken.map(({ executionId }) => executionId))]
      const about = await runStatement<Omit<OutboxEntry, 'events'>>(transaction, aboutStatement, [ids])
      const byId = new Map(about.map((execution) => [execution.executionId, execution]))
      const outboxEntries = taken.flatMap(({ executionId, events }) => {
        const execution = byId.get(executionId)
        // The execution was deleted meanwhile.
        if (execution === undefined) return []
        return [{ ...execution, events: events.map((event) => ({ ...event, at: new Date(event.at) })) }]
      })
      if (outboxEntries.length > 0) await take(transaction, outboxEntries)
      dispatched = outboxEntries
      return true
    })
    // Entries that another process has dispatched meanwhile cost nothing here.
    if (dispatched.length > 0) costs.learn(dispatched, nowMs() - begunAtMs)
    return isOurs
  }

  async function dispatchInHalves(entries: readonly EntryKey[], take: Dispatch): Promise<DrainResult> {
    try {
      return { count: (await dispatch(entries, take)) ? entries.length : 0, failed: [] }
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      const [first] = entries
      if (first === undefined) throw error
      if (entries.length === 1) return { count: 1, failed: [await putAside(first, error)] }
      const half = Math.ceil(entries.length / 2)
      const one = await dispatchInHalves(entries.slice(0, half), take)
      const other = await dispatchInHalves(entries.slice(half), take)
      return { count: one.count + other.count, failed: [...one.failed, ...other.failed] }
    }
  }

  async function putAside(entry: EntryKey, error: unknown): Promise<FailedEntry> {
    const { executionId, firstSeq } = entry
    const [row] = await database.query<{ attempts: number }>(postponeStatement, [executionId, firstSeq])
    const attempts = row?.attempts ?? 0
    const isDead = attempts >= maxAttempts
    if (isDead) {
      const problem = (error instanceof Error ? error.message : String(error)).slice(0, maxProblemLength)
      await database.query(deadLetterStatement, [executionId, firstSeq, problem.replaceAll('\0', '')])
    }
    return { ...entry, error, attempts, isDead }
  }

  return {
    async drain(take) {
      const entries = await planBatch()
      return entries.length === 0 ? { count: 0, failed: [] } : await dispatchInHalves(entries, take)
    },
    notify() {
      for (const listener of listeners) listener()
    },
    onEntriesAdded(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
  }
}
