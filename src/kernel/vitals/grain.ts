/** The lengths of time that are added up. */
export const grains = ['minute', 'hour', 'day'] as const
export type Grain = (typeof grains)[number]

export const grainMs: Readonly<Record<Grain, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/**
 * How long rows are kept. Minutes a little longer than two days, so that a day up to now can be compared with the one before it.
 */
export const keptMs: Readonly<Record<Grain, number>> = {
  minute: 50 * grainMs.hour,
  hour: 90 * grainMs.day,
  day: 730 * grainMs.day,
}

/** The begin of the minute, hour or day of a moment, in UTC. */
export function startOf(grain: Grain, ms: number): number {
  return Math.floor(ms / grainMs[grain]) * grainMs[grain]
}

/** Rows of one grain, from a moment on and before another. */
export interface Segment {
  readonly grain: Grain
  readonly from: number
  readonly to: number
}

/** The fewest rows that make up a time exactly, none finer than `finest`: days inside, hours and minutes at its ends. */
export function coverTime(finest: Grain, from: number, to: number): readonly Segment[] {
  const coarser = grains[grains.indexOf(finest) + 1]
  const [begin, end] = [startOf(finest, from), startOf(finest, to - 1) + grainMs[finest]]
  const firstFull = coarser === undefined ? 0 : startOf(coarser, begin + grainMs[coarser] - 1)
  const lastFull = coarser === undefined ? 0 : startOf(coarser, end)
  if (coarser === undefined || firstFull >= lastFull) return present({ grain: finest, from: begin, to: end })
  return [
    ...present({ grain: finest, from: begin, to: firstFull }),
    ...coverTime(coarser, firstFull, lastFull),
    ...present({ grain: finest, from: lastFull, to: end }),
  ]
}

function present(segment: Segment): readonly Segment[] {
  return segment.from < segment.to ? [segment] : []
}
