import type { Database } from '#kernel/database'
import { addUpBy } from './add-up-by.ts'
import { readConcurrency } from './concurrency.ts'
import type { FlowSums } from './figures.ts'
import { readAtOneMoment } from './one-moment.ts'
import { coverPeriod, type Period } from './period.ts'
import { type Flows, type RunQuery, readSome, readSums } from './read-sums.ts'
import { flowRollUp, stepRollUp } from './roll-up.ts'
import { daysOf, readHours, type Span } from './series.ts'

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
