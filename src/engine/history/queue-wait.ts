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
