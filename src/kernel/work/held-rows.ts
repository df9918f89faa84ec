import type { Database } from '#kernel/database'
import type { Queue } from './queue.ts'

export interface ClaimedRow<Row> {
  readonly row: Row
  readonly key: string | number
  readonly fence: number
  readonly attempt: number
  /** How long it had been due. */
  readonly waitedMs: number
}

export interface HeldRow {
  readonly key: string | number
  readonly fence: number
}

/** The statements by which one worker takes rows of a queue and looks after those it has. */
export interface HeldRows<Row extends object> {
  /** Takes the due rows that come first; with `onlyKeys`, of these alone. None unless the worker counts as alive. */
  claim(options: ClaimOptions): Promise<ClaimedRow<Row>[]>
  /** What the database says this worker holds. */
  list(workerId: string): Promise<HeldRow[]>
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

export function createHeldRows<Row extends object>(
  database: Pick<Database, 'query'>,
  { table, key }: Queue<Row>,
): HeldRows<Row> {
  // Materialised, because a plan that runs the inner query again would claim more than the limit.
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

    list: (workerId) => database.query<HeldRow>(listStatement, [workerId]),
  }
}
