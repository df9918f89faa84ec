import type { Queryable } from './queryable.ts'

/** The summary of one of the newest executions of a flow. */
export interface LatestRun {
  readonly flowId: string
  readonly id: string
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  readonly startedAt: Date | null
  /** How long workers executed it; null until it ends, or when it never started. */
  readonly durationMs: number | null
  readonly finishedAt: Date | null
  readonly createdAt: Date
  /** Whole micro-dollars. */
  readonly spent: number
}

interface LatestFilter {
  /** Undefined: executions of all accounts. */
  readonly accountId: string | undefined
  /** Executions per flow. */
  readonly count: number
}

/** The executions of one account are searched among this many of a flow: other accounts may use the flow a lot. */
const maxScanned = 200

/** Reads the newest executions of each flow, the newest first. */
export async function readLatestRuns(
  database: Queryable,
  flowIds: readonly string[],
  { accountId, count }: LatestFilter,
): Promise<readonly LatestRun[]> {
  return await database.query<LatestRun>(
    `
      select flow.id as "flowId", run.id, run.status, run.started_at as "startedAt", run.finished_at as "finishedAt",
        (run.facts ->> 'duration_ms')::double precision as "durationMs", run.created_at as "createdAt", run.spent
      from unnest($1::text[]) as flow (id)
      cross join lateral (
        select recent.*
        from (
          select id, account_id, status, started_at, finished_at, facts, created_at, spent
          from engine_executions
          where flow_id = flow.id
          order by id desc
          limit ${maxScanned}
        ) as recent
        where $2::uuid is null or recent.account_id = $2
        order by recent.id desc
        limit $3
      ) as run
      order by flow.id, run.id desc
    `,
    [flowIds, accountId ?? null, count],
  )
}
