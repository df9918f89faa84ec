import { addUpBy } from './add-up-by.ts'
import { coverPeriod, type Period, type Segment, startOf, unitMs } from './period.ts'
import { type Flows, type RunQuery, readSome } from './read-sums.ts'
import { flowRollUp, type Grain } from './roll-up.ts'

const spanSums = ['executions', 'completed', 'failed', 'duration_ms', 'spent'] as const

/** What ended in one hour or day, as far as it belongs to the period. */
export interface Span extends Readonly<Record<(typeof spanSums)[number], number>> {
  readonly at: Date
}

interface SeriesQuery {
  readonly period: Period
  readonly now: Date
  readonly flows: Flows
  readonly grain: Exclude<Grain, 'minute'>
}

/** A period up to now by the hour or by the day, the earliest first, quiet ones included: their sum is that of the period. */
export async function readSeries(run: RunQuery, query: SeriesQuery): Promise<readonly Span[]> {
  const { period, now, flows, grain } = query
  const rows = await readSome(run, flowRollUp, {
    segments: segmentsBy(grain, period, now),
    flows,
    groupBy: ['at'],
    sums: spanSums,
  })
  const known = addUpBy(rows, (row) => startOf(grain, row.at).getTime(), spanSums)
  const quiet = Object.fromEntries(spanSums.map((sum) => [sum, 0])) as Record<
    (typeof spanSums)[number],
    number
  >
  const first = startOf(grain, period.from).getTime()
  const length = Math.floor((now.getTime() - first) / unitMs[grain]) + 1
  return Array.from({ length }, (_, index) => {
    const at = first + index * unitMs[grain]
    return { at: new Date(at), ...(known.get(at) ?? quiet) }
  })
}

/** By the hour, nothing coarser than hours may be read. */
function segmentsBy(grain: SeriesQuery['grain'], period: Period, now: Date): readonly Segment[] {
  if (grain === 'day') return coverPeriod(period, now)
  const full = new Date(Math.ceil(period.from.getTime() / unitMs.hour) * unitMs.hour)
  const hours: Segment = { grain: 'hour', from: full, to: undefined }
  return full > period.from ? [{ grain: 'minute', from: period.from, to: full }, hours] : [hours]
}
