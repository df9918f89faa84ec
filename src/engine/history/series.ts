import { addUpBy } from './add-up-by.ts'
import { type Period, type Segment, startOf, unitMs } from './period.ts'
import { type Flows, type RunQuery, readSome } from './read-sums.ts'
import { flowRollUp, type Grain } from './roll-up.ts'

const spanSums = ['executions', 'completed', 'failed', 'duration_ms', 'spent'] as const
type Sums = Readonly<Record<(typeof spanSums)[number], number>>

/** What ended in one hour or day, as far as it belongs to the period. */
export interface Span extends Sums {
  readonly at: Date
}

interface HoursQuery {
  readonly period: Period
  readonly now: Date
  readonly flows: Flows
}

const quiet: Sums = { executions: 0, completed: 0, failed: 0, duration_ms: 0, spent: 0 }

/** A period up to now by the hour, the earliest first, quiet ones included: their sum is that of the period. */
export async function readHours(run: RunQuery, { period, now, flows }: HoursQuery): Promise<readonly Span[]> {
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
export function daysOf(hours: readonly Span[], { period, now }: Pick<HoursQuery, 'period' | 'now'>) {
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
