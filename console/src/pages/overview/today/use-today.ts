import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { useLastFailure } from '../../../api/use-api-query.ts'
import { useTimedText } from '../../../time/clock.ts'
import type { ExecutionEntry } from '../../executions/execution-queries.ts'
import type { OverviewAccess } from '../overview-access.ts'
import { executionsLikeQuery } from './today-queries.ts'

/** The maximum numbers shown here; the Executions page lists all. */
const maxRunning = 10
const maxQueued = 5

interface Listed {
  readonly executions: readonly ExecutionEntry[]
  readonly total: number
}

/** The executions of the day. Each part is undefined while loading, or without the permission to see it. */
export interface Today {
  readonly running: Listed | undefined
  readonly queued: Listed | undefined
  readonly failed: ReturnType<typeof failedToday<ExecutionEntry>> | undefined
  /** The executions of this account, of any day. */
  readonly own: Listed | undefined
  readonly failure: Error | null
  readonly retry: () => void
}

/** Running and today's failed executions, as far as the account may see them. */
export function useToday({ account, lists, runs }: OverviewAccess): Today {
  const api = useApi()
  // Midnight changes once a day, also on a page that stays open.
  const midnight = new Date(useTimedText((now) => startOfDay(now).toISOString()))
  const running = useQuery({
    ...executionsLikeQuery(api, { status: 'running', limit: maxRunning }),
    enabled: lists,
  })
  const queued = useQuery({
    ...executionsLikeQuery(api, { status: 'queued', limit: maxQueued }),
    enabled: lists,
  })
  const failed = useQuery({
    ...executionsLikeQuery(api, { status: 'failed', since: askedSince(midnight), limit: mostFailed }),
    enabled: lists,
  })
  const own = useQuery({ ...executionsLikeQuery(api, { account, limit: 1 }), enabled: runs })
  const all = [running, queued, failed]
  const failure = useLastFailure({
    data: all.every(({ data }) => data !== undefined) ? all : undefined,
    error: all.find(({ data, error }) => data === undefined && error !== null)?.error ?? null,
  })
  return {
    running: running.data,
    queued: queued.data,
    failed: failed.data === undefined ? undefined : failedToday(failed.data, midnight),
    own: own.data,
    failure,
    retry: () => void Promise.all(all.map(({ refetch }) => refetch())),
  }
}

/** The maximum number of failed executions read. */
const mostFailed = 100

/** Midnight in the user's time zone. */
export function startOfDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate())
}

/** The earliest creation time to read: an execution that fails today may have been created the day before. */
export function askedSince(midnight: Date): string {
  return new Date(midnight.getFullYear(), midnight.getMonth(), midnight.getDate() - 1).toISOString()
}

interface FailedToday<Entry> {
  readonly executions: readonly Entry[]
  /** More executions may have failed than were read. */
  readonly isAtLeast: boolean
}

/** The executions that failed since midnight, latest first. */
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

interface Scheduled {
  readonly next_run_at: number | null
}

/** The next runs, soonest first. */
export function nextOf<Schedule extends Scheduled>(
  schedules: readonly Schedule[],
  most: number,
): readonly (Schedule & { readonly next_run_at: number })[] {
  return schedules
    .filter(comesAgain)
    .toSorted((one, other) => one.next_run_at - other.next_run_at)
    .slice(0, most)
}

function comesAgain<Schedule extends Scheduled>(
  schedule: Schedule,
): schedule is Schedule & { readonly next_run_at: number } {
  return schedule.next_run_at !== null
}
