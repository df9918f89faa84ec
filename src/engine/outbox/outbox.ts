import { type Database, isDatabaseUnavailable } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { ExecutionFacts } from '../execution/facts.ts'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import type { ExecutionEvent } from '../store/commit.ts'
import { createPlanBatch, type EntryKey, isDispatchable } from './plan-batch.ts'

/** Something that happened in an execution, for those outside who want to hear of it. */
export interface Happening {
  readonly executionId: string
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  /** Without what may be large: the context, the memory and the items of a batch. */
  readonly input: Pick<ExecutionInput, 'callbacks' | 'options'>
  readonly batch: { readonly items: number; readonly size: number; readonly parallel: boolean } | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  /** Whole micro-dollars, as they stand now. */
  readonly spent: number
  /** Once it is over. */
  readonly facts: ExecutionFacts | null
  /** In their order. */
  readonly events: readonly ExecutionEvent[]
}

type Take = (transaction: Executor, happenings: readonly Happening[]) => Promise<void>

/** An entry whose dispatch failed although it was alone. */
export interface FailedEntry extends EntryKey {
  readonly error: unknown
  /** With this one. */
  readonly attempts: number
  /** It is not tried again: it stands in `engine_dead_letters`. */
  readonly isDead: boolean
}

interface HandedOver {
  /** Entries that were looked at; 0: none is due, or another process has its turn. */
  readonly count: number
  readonly failed: readonly FailedEntry[]
}

/** What happened and is not on its way yet. */
export interface Outbox {
  /**
   * Hands over a bounded part of what waits, in a transaction: either it is on its way then, or it still waits. Of one execution it comes
   * in its order; processes and accounts take turns.
   *
   * | a dispatch of        | fails                        | then                                                              |
   * |----------------------|------------------------------|-------------------------------------------------------------------|
   * | any                  | because the database is away | this throws, and everything still waits                           |
   * | several entries      | otherwise                    | each half is dispatched by itself                                 |
   * | one entry            | otherwise                    | it is due after a growing pause, and later ones of its execution wait |
   * | one entry, six times | otherwise                    | it becomes a dead letter, and later ones of its execution go on   |
   */
  handOver(take: Take): Promise<HandedOver>
  /** Something was added by this process. */
  announce(): void
  /** Calls back when something was. */
  onMore(listener: () => void): Disposable
}

const maxAttempts = 6
const maxProblemLength = 2000

/** Any constant does, as long as every release uses the same one. */
const turnLock = 7_488_413_007

const takeStatement = `
  with taken as (
    delete from engine_outbox as entry
    using unnest($1::uuid[], $2::integer[]) as planned (execution_id, first_seq)
    where entry.execution_id = planned.execution_id and entry.first_seq = planned.first_seq and ${isDispatchable}
    returning entry.id, entry.execution_id, entry.first_seq
  )
  select taken.execution_id as "executionId", told.entries as events
  from taken
  join engine_events as told on told.execution_id = taken.execution_id and told.first_seq = taken.first_seq
  order by taken.id
`

/** Once for each execution, however many entries are about it. */
const aboutStatement = `
  select id as "executionId", flow_id as "flowId", flow_version as "flowVersion", account_id as "accountId", priority,
    jsonb_build_object('callbacks', coalesce(input -> 'callbacks', '{}'), 'options', input -> 'options') as input,
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

const buryStatement = `
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

export function createOutbox(database: Database): Outbox {
  const listeners = new Set<() => void>()
  const planBatch = createPlanBatch(database)

  /** Answers false when another process has its turn: it looks again after its dispatch, and finds these entries. */
  async function dispatch(entries: readonly EntryKey[], take: Take): Promise<boolean> {
    return await database.transaction(async (transaction) => {
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
      const about = await runStatement<Omit<Happening, 'events'>>(transaction, aboutStatement, [ids])
      const byId = new Map(about.map((execution) => [execution.executionId, execution]))
      const happenings = taken.flatMap(({ executionId, events }) => {
        const execution = byId.get(executionId)
        // It was deleted meanwhile.
        if (execution === undefined) return []
        return [{ ...execution, events: events.map((event) => ({ ...event, at: new Date(event.at) })) }]
      })
      if (happenings.length > 0) await take(transaction, happenings)
      return true
    })
  }

  async function dispatchInHalves(entries: readonly EntryKey[], take: Take): Promise<HandedOver> {
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
      await database.query(buryStatement, [executionId, firstSeq, problem.replaceAll('\0', '')])
    }
    return { ...entry, error, attempts, isDead }
  }

  return {
    async handOver(take) {
      const entries = await planBatch()
      return entries.length === 0 ? { count: 0, failed: [] } : await dispatchInHalves(entries, take)
    },
    announce() {
      for (const listener of listeners) listener()
    },
    onMore(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
  }
}
