/**
 * How long an execution takes is how long workers executed it, over all its leases. What does not count: waiting in the queue, waiting
 * for an approval, and the time between a failure or the loss of a worker and the lease that resumed it.
 */
export interface ExecutionTimes {
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  /** When its first lease began to execute it. */
  readonly startedAt: Date | null
  /** When its current lease resumed it; null in the first one. */
  readonly resumedAt: Date | null
  /** How long earlier leases executed it, in milliseconds. */
  readonly activeMs: number
  /** How long all leases executed it; null until it is over, or when it never began. */
  readonly durationMs: number | null
}

/** Up to a moment, or in all when it is over. Null: it has not begun. */
export function executionMs(
  { status, startedAt, resumedAt, activeMs, durationMs }: ExecutionTimes,
  at: Date,
): number | null {
  if (durationMs !== null) return durationMs
  const since = resumedAt ?? startedAt
  if (since === null) return null
  return status === 'queued' ? activeMs : activeMs + Math.max(0, at.getTime() - since.getTime())
}
