import type { Database } from '#kernel/database'
import type { FlowSums } from './figures.ts'
import { readAtOneMoment } from './one-moment.ts'
import { coverPeriod, type Period, type Segment, startOf, unitMs } from './period.ts'
import { type Flows, type RunQuery, readSome, readSums } from './read-sums.ts'
import { flowRollUp, type Grain, stepRollUp } from './roll-up.ts'

const flowSums = ['executions', 'completed', 'failed', 'duration_ms', 'spent'] as const
type FlowOverview = Readonly<Record<(typeof flowSums)[number], number>>

/** How some flows do, or all of them, without what only their steps tell. */
export interface Overview {
  readonly total: FlowSums
  readonly totalBefore: FlowOverview
  /** Read and written by models. */
  readonly tokens: number
  /** Of every flow that was asked for and ran, by its id. */
  readonly flows: ReadonlyMap<string, FlowOverview>
  readonly flowsBefore: ReadonlyMap<string, FlowOverview>
  /** The most that ran at once; null when there were too many executions to look at, or some are forgotten. */
  readonly peak: number | null
  readonly hours: readonly Span[]
  readonly days: readonly Span[]
}

const nothing: FlowOverview = { executions: 0, completed: 0, failed: 0, duration_ms: 0, spent: 0 }

interface OverviewQuery {
  readonly current: Period
  readonly before: Period
  readonly flows: Flows
  readonly now: Date
}

/** Reads all of it as it was at one moment. */
export function readOverview(database: Database, query: OverviewQuery): Promise<Overview> {
  return readAtOneMoment(database, (run) => readAll(run, query))
}

async function readAll(run: RunQuery, query: OverviewQuery): Promise<Overview> {
  const { current, before, flows, now } = query
  const [segments, segmentsBefore] = [coverPeriod(current, now), coverPeriod(before, now)]
  const each = { flows: flows === 'all' ? 'each' : flows, groupBy: ['flow_id'], sums: flowSums } as const
  const [total] = await readSums(run, flowRollUp, { segments, flows, groupBy: [] })
  if (total === undefined) throw new Error('sums were not answered')
  const [tokens] = await readSome(run, stepRollUp, {
    segments,
    flows,
    groupBy: [],
    sums: ['input_tokens', 'output_tokens'],
  })
  const byFlow = await readSome(run, flowRollUp, { segments, ...each })
  const byFlowBefore = await readSome(run, flowRollUp, { segments: segmentsBefore, ...each })
  const concurrency = await readConcurrency(run, { period: current, flows, now })
  const isWhole = concurrency !== undefined && concurrency.ended >= total.executions
  const hours = await readHours(run, { period: current, now, flows })
  return {
    total,
    // All flows together are the sum of each, taken back ones included.
    totalBefore: addUpBy(byFlowBefore, () => 'all', flowSums).get('all') ?? nothing,
    tokens: (tokens?.input_tokens ?? 0) + (tokens?.output_tokens ?? 0),
    flows: present(byFlow),
    flowsBefore: present(byFlowBefore),
    peak: isWhole ? concurrency.peak : null,
    hours,
    days: daysOf(hours, { period: current, now }),
  }
}

/** A flow whose only end was taken back has rows still, and nothing in them. */
function present(rows: readonly (FlowOverview & { readonly flow_id: string })[]) {
  return new Map(rows.filter(({ executions }) => executions > 0).map((row) => [row.flow_id, row]))
}

const spanSums = ['executions', 'completed', 'failed', 'duration_ms', 'spent'] as const
type Sums = Readonly<Record<(typeof spanSums)[number], number>>

/** What ended in one hour or day, as far as it belongs to the period. */
interface Span extends Sums {
  readonly at: Date
}

interface HoursQuery {
  readonly period: Period
  readonly now: Date
  readonly flows: Flows
}

const quiet: Sums = { executions: 0, completed: 0, failed: 0, duration_ms: 0, spent: 0 }

/** A period up to now by the hour, the earliest first, quiet ones included: their sum is that of the period. */
async function readHours(run: RunQuery, { period, now, flows }: HoursQuery): Promise<readonly Span[]> {
  const full = new Date(Math.ceil(period.from.getTime() / unitMs.hour) * unitMs.hour)
  const hours: Segment = { grain: 'hour', from: full, to: undefined }
  const rows = await readSome(run, flowRollUp, {
    segments: full > period.from ? [{ grain: 'minute', from: period.from, to: full }, hours] : [hours],
    flows,
    groupBy: ['at'],
    sums: spanSums,
  })
  return spansOf(rows, 'hour', { from: period.from, now })
}

/** The same by the day. */
function daysOf(hours: readonly Span[], { period, now }: Pick<HoursQuery, 'period' | 'now'>) {
  return spansOf(hours, 'day', { from: period.from, now })
}

function spansOf(
  rows: readonly Span[],
  grain: Exclude<Grain, 'minute'>,
  { from, now }: { readonly from: Date; readonly now: Date },
): readonly Span[] {
  const known = addUpBy(rows, (row) => startOf(grain, row.at).getTime(), spanSums)
  const first = startOf(grain, from).getTime()
  const length = Math.floor((now.getTime() - first) / unitMs[grain]) + 1
  return Array.from({ length }, (_, index) => {
    const at = first + index * unitMs[grain]
    return { at: new Date(at), ...(known.get(at) ?? quiet) }
  })
}

/** Adds up some columns of rows that belong together. */
function addUpBy<Row extends Readonly<Record<Sum, number>>, Key, Sum extends string>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  sums: readonly Sum[],
): ReadonlyMap<Key, Readonly<Record<Sum, number>>> {
  const groups = Map.groupBy(rows, keyOf)
  return new Map(
    [...groups].map(([key, group]) => {
      const total = sums.map((sum) => [sum, group.reduce((value, row) => value + row[sum], 0)])
      return [key, Object.fromEntries(total) as Record<Sum, number>]
    }),
  )
}

/** The most executions that ran at the same time. */
interface Concurrency {
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
const maxLookedAt = { upToADay: 1000, longer: 300 } as const

/**
 * Goes through the begins and ends of a period up to now, and tells the most that were between the two at once. An execution counts from
 * its first begin to its end, also while a worker that was lost is noticed. Undefined when there are too many of them to look at.
 */
async function readConcurrency(
  run: RunQuery,
  { period, flows, now }: ConcurrencyQuery,
): Promise<Concurrency | undefined> {
  const some = flows === 'all' ? null : flows
  // A day begins with a whole minute, so that it is a little longer than one.
  const isLong = now.getTime() - period.from.getTime() > unitMs.day + unitMs.hour
  const most = isLong ? maxLookedAt.longer : maxLookedAt.upToADay
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
