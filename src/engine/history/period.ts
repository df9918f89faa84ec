import type { Grain } from './roll-up.ts'

/** The periods that statistics can be read for, each up to now. */
export const timeframes = ['1h', '24h', '7d', '30d'] as const
export type Timeframe = (typeof timeframes)[number]

/** A half-open interval of time. */
export interface Period {
  readonly from: Date
  /** Exclusive; undefined: up to now. */
  readonly to: Date | undefined
}

export const unitMs: Readonly<Record<Grain, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** The length of each timeframe, and the grain of its start: minutes are kept for a shorter time than the longer timeframes. */
const lengths: Readonly<Record<Timeframe, { readonly ms: number; readonly begins: Grain }>> = {
  '1h': { ms: unitMs.hour, begins: 'minute' },
  '24h': { ms: unitMs.day, begins: 'minute' },
  '7d': { ms: 7 * unitMs.day, begins: 'hour' },
  '30d': { ms: 30 * unitMs.day, begins: 'hour' },
}

/** The period up to now, and the period of the same length before it. */
export function periodsOf(
  timeframe: Timeframe,
  now: Date,
): { readonly current: Period; readonly before: Period } {
  const { ms, begins } = lengths[timeframe]
  const from = startOf(begins, new Date(now.getTime() - ms))
  return {
    current: { from, to: undefined },
    before: { from: new Date(from.getTime() - ms), to: from },
  }
}

export function startOf(grain: Grain, moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / unitMs[grain]) * unitMs[grain])
}

/** Rows of one grain, from a time up to another, or to the last. */
export interface Segment {
  readonly grain: Grain
  readonly from: Date
  readonly to: Date | undefined
}

/**
 * The fewest rows that cover a period exactly: minutes up to the first full hour, hours up to the first full day, days, and back down to
 * minutes at its end. A period up to now ends with days, because nothing ended later.
 */
export function coverPeriod({ from, to }: Period, now: Date): readonly Segment[] {
  const segments: Segment[] = []
  const end = to?.getTime()
  const horizon = end ?? now.getTime()
  let at = from.getTime()

  function add(grain: Grain, until: number | undefined): void {
    if (at === Number.POSITIVE_INFINITY || (until !== undefined && until <= at)) return
    segments.push({
      grain,
      from: new Date(at),
      to: until === undefined ? undefined : new Date(until),
    })
    at = until ?? Number.POSITIVE_INFINITY
  }

  for (const [grain, coarser] of [
    ['minute', 'hour'],
    ['hour', 'day'],
  ] as const) {
    const full = Math.ceil(at / unitMs[coarser]) * unitMs[coarser]
    if (full <= horizon) add(grain, full)
    else if (end === undefined) add(grain, undefined)
  }
  if (end === undefined) {
    add('day', undefined)
    return segments
  }
  for (const grain of ['day', 'hour', 'minute'] as const)
    add(grain, Math.floor(end / unitMs[grain]) * unitMs[grain])
  return segments
}
