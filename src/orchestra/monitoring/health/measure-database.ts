import { performance } from 'node:perf_hooks'
import type { Database } from '#kernel/database'

export interface DatabaseFacts {
  /** The connections now; `waiting` is how many callers waited for one lately, not those of this moment alone. */
  readonly pool: ReturnType<Database['poolUsage']>
  /** How long a query took that reads by a key, with the way there and back. */
  readonly queryMs: number
  /** Of the replica that is furthest behind; null without replicas. */
  readonly replicationLagMs: number | null
}

/** As most statements of the platform are: one row, by its key. */
const queryStatement = 'select last_id from kernel_event_clock'

const lagStatement = `
  select extract(epoch from max(replay_lag)) * 1000 as ms from pg_stat_replication
`

/** To be called while nothing else of the same request runs: its own queries would be measured as load. */
export async function measureDatabase(database: Database, waiting: number): Promise<DatabaseFacts> {
  const pool = { ...database.poolUsage(), waiting }
  const startedAt = performance.now()
  await database.query(queryStatement)
  const queryMs = performance.now() - startedAt
  const [lag] = await database.query<{ ms: string | null }>(lagStatement)
  const ms = lag?.ms ?? null
  return { pool, queryMs, replicationLagMs: ms === null ? null : Number(ms) }
}
