import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { wakeChannel } from './wait.ts'

/** How a wait is closed. */
interface Closing {
  readonly state: 'answered' | 'timed_out'
  /** JSON as text. */
  readonly answer?: string | undefined
  readonly answeredBy?: string | undefined
  readonly comment?: string | undefined
}

/** A wait that this statement closed. */
export interface ClosedNow {
  readonly id: string
  readonly executionId: string
  /** `cancelled` when the execution had ended. */
  readonly state: Closing['state'] | 'cancelled'
  /** The account whose execution is to be promoted; null: a worker has it, or it is gated. */
  readonly parkedAccount: string | null
  /** The flow whose gate the execution has come to again, and its key there; null: it has not. */
  readonly gatedFlow: string | null
  readonly concurrencyKey: string | null
}

/**
 * Closes waits and wakes their executions, in one statement. `due` selects `id` and `execution_id`, with parameters from `$5` on.
 *
 * | execution | then                                                                                                         |
 * |-----------|--------------------------------------------------------------------------------------------------------------|
 * | suspended | queued and parked; the time it was suspended does not count for its timeout                                  |
 * | suspended | gated, when its flow limits concurrency: others have taken its slot meanwhile                                |
 * | running   | its worker is notified                                                                                       |
 * | queued    | the next worker reads the wait                                                                               |
 * | finished  | the wait is cancelled                                                                                        |
 *
 * The execution is locked before the wait, here and in the commit that suspends it. That commit compares `wakes`, which this statement has
 * raised: so either it sees the closed wait and does not suspend, or this statement finds the execution suspended. Of two answers
 * the second finds the wait closed: after the lock, PostgreSQL evaluates `state = 'open'` for the newest version of the row.
 */
const closeStatement = (due: string, lock: 'skip locked' | '') => `
  with due as materialized (${due}),
  locked as materialized (
    select execution.id, execution.work_state
    from (select distinct execution_id from due order by execution_id) as it
    cross join lateral (
      select id, work_state from engine_executions where id = it.execution_id for no key update ${lock}
    ) as execution
  ),
  closed as (
    update engine_waits as wait
    set state = case when locked.work_state = 'finished' then 'cancelled' else $1 end,
      answer = $2, answered_by = $3, comment = $4, closed_at = now()
    from due join locked on locked.id = due.execution_id
    where wait.id = due.id and wait.state = 'open'
    returning wait.id, wait.execution_id, wait.state
  ),
  woken as (
    update engine_executions as execution
    set wakes = execution.wakes + it.count,
      work_state = case
        when execution.work_state <> 'suspended' then execution.work_state
        when execution.concurrency_key is null then 'queued'
        else 'gated'
      end,
      gated_at = case
        when execution.work_state = 'suspended' and execution.concurrency_key is not null then now() else execution.gated_at
      end,
      work_due_at = case when execution.work_state = 'suspended' then 'infinity' else execution.work_due_at end,
      timed_from = case
        when execution.work_state = 'suspended'
        then coalesce(execution.timed_from, execution.started_at) + greatest(now() - execution.suspended_at, interval '0')
        else execution.timed_from
      end
    from (
      select execution_id, count(*)::integer as count from closed where state <> 'cancelled' group by execution_id
    ) as it
    where execution.id = it.execution_id
    returning execution.id, execution.account_id, execution.work_state, execution.flow_id, execution.concurrency_key
  )
  select closed.id, closed.execution_id as "executionId", closed.state,
    case when woken.work_state = 'queued' then woken.account_id end as "parkedAccount",
    case when woken.work_state = 'gated' then woken.flow_id end as "gatedFlow", woken.concurrency_key as "concurrencyKey",
    case when woken.work_state = 'running' then pg_notify('${wakeChannel}', woken.id::text)::text end as notified
  from closed left join woken on woken.id = closed.execution_id
`

/** Waits that are due per statement. */
export const maxPerStatement = 500

/** An execution that is being committed is skipped: the next call finds it. */
const dueStatement = closeStatement(
  `
    select id, execution_id from engine_waits
    where state = 'open' and wake_at <= now()
    order by wake_at
    limit ${maxPerStatement}
  `,
  'skip locked',
)

const givenStatement = closeStatement(
  `select id, execution_id from engine_waits where id = any($5::uuid[]) and state = 'open'`,
  '',
)

function parametersOf({ state, answer, answeredBy, comment }: Closing): (string | null)[] {
  return [state, answer ?? null, answeredBy ?? null, comment ?? null]
}

/** Closes open waits whose time has passed. Returns up to `maxPerStatement` of them. */
export async function closeDueWaits(database: Pick<Database, 'query'>): Promise<ClosedNow[]> {
  return await database.query<ClosedNow>(dueStatement, parametersOf({ state: 'timed_out' }))
}

/** Closes those of the given waits that are still open, and returns them. */
export async function closeWaits(
  executor: Executor,
  ids: readonly string[],
  closing: Closing,
): Promise<ClosedNow[]> {
  return await runStatement<ClosedNow>(executor, givenStatement, [...parametersOf(closing), ids])
}
