/** The periods that values are aggregated by. */
export const grains = ['minute', 'hour', 'day'] as const
export type Grain = (typeof grains)[number]

export const grainMs: Readonly<Record<Grain, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/**
 * Retention of rows. Minutes are kept for a little more than two days, so that the last 24 hours can be compared with those before.
 */
export const retentionMs: Readonly<Record<Grain, number>> = {
  minute: 50 * grainMs.hour,
  hour: 90 * grainMs.day,
  day: 730 * grainMs.day,
}

/** The start of the minute, hour or day of a time, in UTC. */
export function startOf(grain: Grain, ms: number): number {
  return Math.floor(ms / grainMs[grain]) * grainMs[grain]
}

/** Rows of one grain; `to` is exclusive. */
export interface Segment {
  readonly grain: Grain
  readonly from: number
  readonly to: number
}

/** The fewest rows that cover a period exactly, none finer than `finest`: days inside, hours and minutes at the ends. */
export function coverTime(finest: Grain, from: number, to: number): readonly Segment[] {
  const coarser = grains[grains.indexOf(finest) + 1]
  const [begin, end] = [startOf(finest, from), startOf(finest, to - 1) + grainMs[finest]]
  const firstFull = coarser === undefined ? 0 : startOf(coarser, begin + grainMs[coarser] - 1)
  const lastFull = coarser === undefined ? 0 : startOf(coarser, end)
  if (coarser === undefined || firstFull >= lastFull) return nonEmpty({ grain: finest, from: begin, to: end })
  return [
    ...nonEmpty({ grain: finest, from: begin, to: firstFull }),
    ...coverTime(coarser, firstFull, lastFull),
    ...nonEmpty({ grain: finest, from: lastFull, to: end }),
  ]
}

function nonEmpty(segment: Segment): readonly Segment[] {
  return segment.from < segment.to ? [segment] : []
}
