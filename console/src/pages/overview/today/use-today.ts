import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { useStandingFailure } from '../../../api/use-answer.ts'
import { useTimedText } from '../../../time/clock.ts'
import type { ExecutionEntry } from '../../executions/execution-bodies.ts'
import type { OverviewAccess } from '../overview-access.ts'
import { askedSince, failedToday, mostFailed, startOfDay } from './failed-today.ts'
import { executionsLikeQuery } from './today-queries.ts'

/** Enough to see what goes on; the rest has a page of its own. */
const mostRunning = 10
const mostQueued = 5

interface Listed {
  readonly executions: readonly ExecutionEntry[]
  readonly total: number
}

/** The executions of the day; each part is undefined while it is on its way, or the account does not see it. */
export interface Today {
  readonly running: Listed | undefined
  readonly queued: Listed | undefined
  readonly failed: ReturnType<typeof failedToday<ExecutionEntry>> | undefined
  /** One's own executions ever. */
  readonly own: Listed | undefined
  readonly failure: Error | null
  readonly retry: () => void
}

/** What is under way and what failed today, as far as the account sees it. */
export function useToday({ account, lists, runs }: OverviewAccess): Today {
  const api = useApi()
  // It changes once a day, also under a page that stays open.
  const midnight = new Date(useTimedText((now) => startOfDay(now).toISOString()))
  const running = useQuery({
    ...executionsLikeQuery(api, { status: 'running', limit: mostRunning }),
    enabled: lists,
  })
  const queued = useQuery({
    ...executionsLikeQuery(api, { status: 'queued', limit: mostQueued }),
    enabled: lists,
  })
  const failed = useQuery({
    ...executionsLikeQuery(api, { status: 'failed', since: askedSince(midnight), limit: mostFailed }),
    enabled: lists,
  })
  const own = useQuery({ ...executionsLikeQuery(api, { account, limit: 1 }), enabled: runs })
  const all = [running, queued, failed]
  const failure = useStandingFailure({
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
