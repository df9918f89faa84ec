/** When an execution that waits is likely to begin. */
export interface QueueWait {
  /** Milliseconds from now; null when nothing has ended lately to measure by. */
  readonly waitMs: number | null
  /** Executions a minute, as they ended of late. */
  readonly perMinute: number
  readonly sample: number
}

/** How far back the pace is measured. */
export const paceMinutes = 15

/**
 * By its place and the pace: so many are before it, and so many end each minute. `minutes` are the ends of the last minutes, of which
 * only the time since the first end counts: a queue that began a minute ago is not slow.
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
