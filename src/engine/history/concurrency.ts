import { type Period, unitMs } from './period.ts'
import type { Flows, RunQuery } from './read-sums.ts'

/** The most executions that ran at the same time. */
export interface Concurrency {
  readonly peak: number
  /** Executions that had ended and were looked at. */
  readonly ended: number
}

interface ConcurrencyQuery {
  readonly period: Period
  readonly flows: Flows
  readonly now: Date
}

/**
 * More executions than this are not looked at: it would take longer than anybody wants to wait for one number. The time of a day is asked
 * for most, and is worth more.
 */
const mostLookedAt = { upToADay: 1000, longer: 300 } as const

/**
 * Goes through the begins and ends of a period up to now, and tells the most that were between the two at once. An execution counts from
 * its first begin to its end, also while a worker that was lost is noticed. Undefined when there are too many of them to look at.
 */
export async function readConcurrency(
  run: RunQuery,
  { period, flows, now }: ConcurrencyQuery,
): Promise<Concurrency | undefined> {
  const some = flows === 'all' ? null : flows
  // A day begins with a whole minute, so that it is a little longer than one.
  const isLong = now.getTime() - period.from.getTime() > unitMs.day + unitMs.hour
  const most = isLong ? mostLookedAt.longer : mostLookedAt.upToADay
  const values = [period.from, some, most + 1]
  const [row] = await run<{ looked_at: number; ended: number; peak: number }>(statement, values)
  if (row === undefined || row.looked_at > most) return undefined
  return { peak: row.peak, ended: row.ended }
}

/**
 * The columns tell when something was stored, the facts when it happened. Those that run and have stored nothing yet run now, at least.
 * An end comes before a begin of the same moment, and everything takes a moment.
 */
const statement = `
  with stored as materialized (
    select flow_id, facts
    from engine_executions
    where work_state = 'finished' and finished_at >= $1::timestamptz - interval '1 minute'
    order by finished_at desc
    limit $3
  ),
  ended as materialized (
    select told.*
    from stored
    cross join lateral json_to_record(stored.facts) as told (started_at timestamptz, finished_at timestamptz)
    where $2::text[] is null or stored.flow_id = any ($2)
  ),
  ran as (
    select started_at, greatest(finished_at, started_at + interval '1 microsecond') as finished_at
    from ended
    where finished_at >= $1 and started_at is not null
    union all
    select coalesce(started_at, now()), null
    from engine_executions
    where work_state = 'running' and ($2::text[] is null or flow_id = any ($2))
  ),
  changes as (
    select greatest(started_at, $1) as at, 1 as change from ran
    union all
    select finished_at, -1 from ran where finished_at is not null
  )
  select
    (select count(*) from stored) as looked_at,
    (select count(*) from ended where finished_at >= $1) as ended,
    (
      select coalesce(max(running), 0)::bigint
      from (select sum(change) over (order by at, change rows unbounded preceding) as running from changes) as counted
    ) as peak
`
