/**
 * The duration of an execution is the time workers executed it, over all its leases. Not included: waiting in the queue, waiting for an
 * approval, and the time between a failure or the loss of a worker and the lease that resumed it.
 */
export interface ExecutionTimes {
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  /** When its first lease began to execute it. */
  readonly startedAt: Date | null
  /** When its current lease resumed it; null in the first one. */
  readonly resumedAt: Date | null
  /** How long earlier leases executed it, in milliseconds. */
  readonly activeMs: number
  /** How long all leases executed it; null until it ends, or when it never started. */
  readonly durationMs: number | null
}

/** The duration of an execution: the total when it has ended, else up to `at`. Null: it has not started. */
export function executionMs(
  { status, startedAt, resumedAt, activeMs, durationMs }: ExecutionTimes,
  at: Date,
): number | null {
  if (durationMs !== null) return durationMs
  const since = resumedAt ?? startedAt
  if (since === null) return null
  return status === 'queued' ? activeMs : activeMs + Math.max(0, at.getTime() - since.getTime())
}
