import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { ExecutionFacts } from '../execution/facts.ts'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import type { ExecutionEvent } from '../store/commit.ts'

/** Something that happened in an execution, for those outside who want to hear of it. */
export interface Happening {
  readonly executionId: string
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  readonly input: ExecutionInput
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

/** What happened and is not on its way yet. */
export interface Outbox {
  /**
   * Hands over what waits, in a transaction: either it is on its way then, or it still waits. Of one execution it comes in its order;
   * processes take turns. Answers how much it was.
   */
  handOver(take: Take): Promise<number>
  /** Something was added by this process. */
  announce(): void
  /** Calls back when something was. */
  onMore(listener: () => void): Disposable
}

const mostAtOnce = 200

/** Any constant does, as long as every release uses the same one. */
const turnLock = 7_488_413_007

const takeStatement = `
  with taken as (
    delete from engine_outbox
    where id in (select id from engine_outbox order by id limit ${mostAtOnce})
    returning id, execution_id, first_seq
  )
  select execution.id as "executionId", execution.flow_id as "flowId", execution.flow_version as "flowVersion",
    execution.account_id as "accountId", execution.priority, execution.input, execution.created_at as "createdAt",
    execution.started_at as "startedAt", execution.spent, execution.facts, told.entries as events
  from taken
  join engine_executions as execution on execution.id = taken.execution_id
  join engine_events as told on told.execution_id = taken.execution_id and told.first_seq = taken.first_seq
  order by taken.id
`

type HappeningRow = Omit<Happening, 'events'> & {
  readonly events: readonly (Omit<ExecutionEvent, 'at'> & { readonly at: string })[]
}

export function createOutbox(database: Database): Outbox {
  const listeners = new Set<() => void>()
  return {
    handOver: (take) =>
      database.transaction(async (transaction) => {
        await runStatement(transaction, 'select pg_advisory_xact_lock($1)', [turnLock])
        const rows = await runStatement<HappeningRow>(transaction, takeStatement, [])
        const happenings = rows.map((row) => ({
          ...row,
          events: row.events.map((event) => ({ ...event, at: new Date(event.at) })),
        }))
        if (happenings.length > 0) await take(transaction, happenings)
        return happenings.length
      }),
    announce() {
      for (const listener of listeners) listener()
    },
    onMore(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
  }
}
