import type { Database } from '#kernel/database'
import type { Queue } from './queue.ts'

export interface ClaimedRow<Row> {
  readonly row: Row
  readonly key: string | number
  readonly fence: number
  readonly attempt: number
  /** Time between due and claimed. */
  readonly waitedMs: number
}

export interface LeasedRow {
  readonly key: string | number
  readonly fence: number
}

/** The statements with which a worker claims rows of a queue and lists those it has leased. */
export interface LeasedRows<Row extends object> {
  /** Claims the first due rows, or only those of `onlyKeys`. Claims none unless the worker's heartbeat is recent. */
  claim(options: ClaimOptions): Promise<ClaimedRow<Row>[]>
  /** The rows leased by the worker, according to the database. */
  list(workerId: string): Promise<LeasedRow[]>
}

interface ClaimOptions {
  readonly workerId: string
  readonly limit: number
  readonly deadAfterMs: number
  readonly onlyKeys: readonly string[] | undefined
}

interface WorkColumns {
  readonly work_priority: number
  readonly work_fence: number
  readonly work_attempts: number
  readonly work_waited_ms: number
}

export function createLeasedRows<Row extends object>(
  database: Pick<Database, 'query'>,
  { table, key }: Queue<Row>,
): LeasedRows<Row> {
  // Materialised, because a plan that repeats the inner query would claim more than the limit.
  const claimStatement = (restriction: string) => `
    with due as materialized (
      select ${key} as due_key from ${table}
      where work_state = 'queued' and work_due_at <= now() ${restriction}
        and exists (
          select 1 from kernel_workers
          where id = $1 and heartbeat_at > now() - $3 * interval '1 millisecond'
        )
      order by work_priority desc, work_due_at
      limit $2
      for update skip locked
    )
    update ${table} as entry
    set work_state = 'running', work_worker = $1, work_fence = work_fence + 1, work_attempts = work_attempts + 1
    from due
    where entry.${key} = due.due_key
    returning entry.*, extract(epoch from clock_timestamp() - work_due_at)::float8 * 1000 as work_waited_ms
  `
  const claimAny = claimStatement('')
  const claimSome = claimStatement(`and ${key}::text = any($4)`)
  const listStatement = `
    select ${key} as key, work_fence as fence from ${table} where work_state = 'running' and work_worker = $1
  `

  return {
    async claim({ workerId, limit, deadAfterMs, onlyKeys }) {
      const values = [workerId, limit, deadAfterMs]
      const rows = await (onlyKeys === undefined
        ? database.query<Row & WorkColumns>(claimAny, values)
        : database.query<Row & WorkColumns>(claimSome, [...values, onlyKeys]))
      rows.sort((a, b) => b.work_priority - a.work_priority || b.work_waited_ms - a.work_waited_ms)
      return rows.map(({ work_waited_ms: waitedMs, ...row }) => ({
        row: row as unknown as Row,
        key: (row as Record<string, unknown>)[key] as string | number,
        fence: row.work_fence,
        attempt: row.work_attempts,
        waitedMs,
      }))
    },

    list: (workerId) => database.query<LeasedRow>(listStatement, [workerId]),
  }
}
