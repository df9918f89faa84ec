import type { ExecutionEntry } from '../../executions/execution-bodies.ts'

/** The most that are looked at. */
export const mostFailed = 100

/** When this person's day began. */
export function startOfDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate())
}

/** Since when executions are asked for: one that fails today may have been created the day before. */
export function askedSince(midnight: Date): string {
  return new Date(midnight.getFullYear(), midnight.getMonth(), midnight.getDate() - 1).toISOString()
}

interface FailedToday<Entry> {
  readonly executions: readonly Entry[]
  /** More may have failed than were looked at. */
  readonly isAtLeast: boolean
}

/** Those that ended since midnight, the last that failed first. */
export function failedToday<Entry extends Pick<ExecutionEntry, 'finished_at'>>(
  { executions, total }: { readonly executions: readonly Entry[]; readonly total: number },
  midnight: Date,
): FailedToday<Entry> {
  const since = midnight.getTime() / 1000
  return {
    executions: executions
      .filter(({ finished_at: at }) => at !== null && at >= since)
      .toSorted((one, other) => (other.finished_at ?? 0) - (one.finished_at ?? 0)),
    isAtLeast: total > executions.length,
  }
}
