import type { Database } from '#kernel/database'
import type { Orphan } from './chaos-workers.ts'

export interface Takeovers {
  /** Executions that a worker had leased when it was killed. */
  readonly orphans: number
  /** How many of them started a step in another worker. */
  readonly measured: number
  /** How many ended with the commit in flight when the worker was killed. */
  readonly endedMeanwhile: number
  /** How many were taken over by a worker that was itself killed before it started a step. */
  readonly lostAgain: number
  readonly medianMs: number
  readonly slowestMs: number
}

const statement = `
  select it.nth, execution.work_fence - it.fence as fences,
    extract(epoch from min(run.started_at) - it.killed_at)::float8 * 1000 as ms
  from rows from (json_to_recordset($1::json) as (execution_id uuid, fence bigint, killed_at timestamptz))
    with ordinality as it (execution_id, fence, killed_at, nth)
  -- Giving it back raises the fence by one, and so does claiming it.
  left join chaos_runs as run on run.execution_id = it.execution_id and run.fence = it.fence + 2
  join engine_executions as execution on execution.id = it.execution_id
  group by it.nth, it.killed_at, it.fence, execution.work_fence
`

/** The time from each kill until another worker resumed the leased executions. */
export async function measureTakeovers(database: Database, orphans: readonly Orphan[]): Promise<Takeovers> {
  const given = orphans.map(({ executionId, fence, killedAt }) => ({
    execution_id: executionId,
    fence,
    killed_at: killedAt,
  }))
  const rows = await database.query<{ ms: number | null; fences: number }>(statement, [JSON.stringify(given)])
  const times = rows.flatMap(({ ms }) => ms ?? []).sort((left, right) => left - right)
  return {
    orphans: orphans.length,
    measured: times.length,
    endedMeanwhile: rows.filter(({ ms, fences }) => ms === null && fences === 0).length,
    lostAgain: rows.filter(({ ms, fences }) => ms === null && fences > 2).length,
    medianMs: times[times.length >> 1] ?? 0,
    slowestMs: times.at(-1) ?? 0,
  }
}
