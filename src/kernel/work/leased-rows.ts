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
interface LeasedRows<Row extends object> {
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
  /** Owners whose rows are not claimed. */
  readonly withoutOwners: readonly string[]
}

interface WorkColumns {
  readonly work_priority: number
  readonly work_fence: number
  readonly work_attempts: number
  readonly work_waited_ms: number
}

/** Owners whose rows are looked at in a claim for kept slots. */
const maxOwners = 200

export function createLeasedRows<Row extends object>(
  database: Pick<Database, 'query'>,
  { table, key }: Queue<Row>,
  owner = key,
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
  // The first due rows of each owner, found owner by owner: reading past all rows of one with many would take long. An array, because the
  // planner would read the rows in their order and look for each in a subquery.
  const isWaiting = `work_state = 'queued' and work_due_at < 'infinity'`
  const claimOthers = claimStatement(`
    and ${key} = any(array(
      with recursive owners as (
        (select ${owner} as id from ${table} where ${isWaiting} and (${owner} > $5 or $5 is null) order by ${owner} limit 1)
        union all
        select (select ${owner} from ${table} where ${isWaiting} and ${owner} > owners.id order by ${owner} limit 1)
        from owners where id is not null
      )
      select first_rows.key
      from (select id from owners where id is not null and id::text <> all($4) limit ${maxOwners}) as other,
        lateral (
          select ${key} as key from ${table}
          where ${isWaiting} and ${owner} = other.id and work_due_at <= now()
          order by work_priority desc, work_due_at limit $2
        ) as first_rows
    ))
  `)
  /** Where the next look for rows of other owners begins, after one that found enough: everybody has a turn. */
  let lastOwner: string | null = null
  const listStatement = `
    select ${key} as key, work_fence as fence from ${table} where work_state = 'running' and work_worker = $1
  `

  return {
    async claim({ workerId, limit, deadAfterMs, onlyKeys, withoutOwners }) {
      const claim = (statement: string, count: number, ...more: unknown[]) =>
        database.query<Row & WorkColumns>(statement, [workerId, count, deadAfterMs, ...more])
      const claimOfOthers = async () => {
        const first = await claim(claimOthers, limit, withoutOwners, lastOwner)
        const left = limit - first.length
        const rest = left > 0 && lastOwner !== null ? await claim(claimOthers, left, withoutOwners, null) : []
        const last = first.at(-1) as Record<string, unknown> | undefined
        lastOwner = left === 0 ? String(last?.[owner]) : null
        return [...first, ...rest]
      }
      const rows = await (onlyKeys !== undefined
        ? claim(claimSome, limit, onlyKeys)
        : withoutOwners.length > 0
          ? claimOfOthers()
          : claim(claimAny, limit))
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
