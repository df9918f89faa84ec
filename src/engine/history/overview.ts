import type { Database } from '#kernel/database'
import type { FlowSums } from './flow-stats.ts'
import { readAtOneMoment } from './one-moment.ts'
import { coverPeriod, type Period, type Segment, startOf, unitMs } from './period.ts'
import { type Flows, type RunQuery, readSome, readSums } from './read-sums.ts'
import { flowRollUp, type Grain, stepRollUp } from './roll-up.ts'

const flowSums = ['executions', 'completed', 'failed', 'duration_ms', 'spent'] as const
type FlowOverview = Readonly<Record<(typeof flowSums)[number], number>>

/** Statistics of some flows, or of all, without those of steps. */
export interface Overview {
  readonly total: FlowSums
  readonly totalBefore: FlowOverview
  /** Input and output tokens of models. */
  readonly tokens: number
  /** Every requested flow that ran, by id. */
  readonly flows: ReadonlyMap<string, FlowOverview>
  readonly flowsBefore: ReadonlyMap<string, FlowOverview>
  /** The maximum of concurrent executions; null when there are too many executions to read, or some were deleted. */
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

/** Reads the overview in one snapshot. */
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
    // The sum over all flows, including subtracted ends.
    totalBefore: addUpBy(byFlowBefore, () => 'all', flowSums).get('all') ?? nothing,
    tokens: (tokens?.input_tokens ?? 0) + (tokens?.output_tokens ?? 0),
    flows: present(byFlow),
    flowsBefore: present(byFlowBefore),
    peak: isWhole ? concurrency.peak : null,
    hours,
    days: daysOf(hours, { period: current, now }),
  }
}

/** A flow whose only end was subtracted has rows in which all sums are 0. */
function present(rows: readonly (FlowOverview & { readonly flow_id: string })[]) {
  return new Map(rows.filter(({ executions }) => executions > 0).map((row) => [row.flow_id, row]))
}

const spanSums = ['executions', 'completed', 'failed', 'duration_ms', 'spent'] as const
type Sums = Readonly<Record<(typeof spanSums)[number], number>>

/** The executions that ended in one hour or day of the period. */
interface Span extends Sums {
  readonly at: Date
}

interface HoursQuery {
  readonly period: Period
  readonly now: Date
  readonly flows: Flows
}

const quiet: Sums = { executions: 0, completed: 0, failed: 0, duration_ms: 0, spent: 0 }

/** A period up to now by hour, the earliest first, including hours without executions. Their sum is that of the period. */
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

/** A period up to now by day. */
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

/** Sums some columns over rows. */
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

/** The maximum of concurrent executions. */
interface Concurrency {
  readonly peak: number
  /** The number of ended executions that were read. */
  readonly ended: number
}

interface ConcurrencyQuery {
  readonly period: Period
  readonly flows: Flows
  readonly now: Date
}

/** With more executions the peak is not computed: reading them takes too long for one number. A day may read more, because it is requested most. */
const maxLookedAt = { upToADay: 1000, longer: 300 } as const

/**
 * Goes through the starts and ends of a period up to now and finds the maximum of concurrent executions. An execution counts from its
 * first start to its end, including the time until a lost worker is noticed. Undefined with too many executions.
 */
async function readConcurrency(
  run: RunQuery,
  { period, flows, now }: ConcurrencyQuery,
): Promise<Concurrency | undefined> {
  const some = flows === 'all' ? null : flows
  // A day starts at a full minute, so it is slightly longer than 24 hours.
  const isLong = now.getTime() - period.from.getTime() > unitMs.day + unitMs.hour
  const most = isLong ? maxLookedAt.longer : maxLookedAt.upToADay
  const values = [period.from, some, most + 1]
  const [row] = await run<{ looked_at: number; ended: number; peak: number }>(statement, values)
  if (row === undefined || row.looked_at > most) return undefined
  return { peak: row.peak, ended: row.ended }
}

/**
 * The columns hold when a row was written, the facts when it happened. A running execution without a commit counts from now on. An end
 * sorts before a start at the same time, and every execution takes at least a moment.
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

/** The estimated wait of a queued execution. */
export interface QueueWait {
  /** Milliseconds from now; null when no execution has ended recently. */
  readonly waitMs: number | null
  /** Executions per minute that ended recently. */
  readonly perMinute: number
  readonly sample: number
}

/** The minutes over which the pace is measured. */
export const paceMinutes = 15

/**
 * Position divided by pace. `minutes` are the ends of the last minutes; only the time since the first end counts, so that a queue that
 * started a minute ago does not look slow.
 */
export function predictWait({
  position,
  minutes,
  now,
}: {
  /** 1 is next. */
  readonly position: number
  readonly minutes: readonly { readonly at: Date; readonly executions: number }[]
  readonly now: Date
}): QueueWait {
  const from = now.getTime() - paceMinutes * 60_000
  const counted = minutes.filter(({ at, executions }) => at.getTime() >= from && executions > 0)
  const sample = counted.reduce((sum, { executions }) => sum + executions, 0)
  if (sample === 0) return { waitMs: null, perMinute: 0, sample }
  const first = Math.min(...counted.map(({ at }) => at.getTime()))
  const spanMinutes = Math.max(1, (now.getTime() - first) / 60_000)
  const perMinute = sample / spanMinutes
  return { waitMs: (position / perMinute) * 60_000, perMinute, sample }
}
