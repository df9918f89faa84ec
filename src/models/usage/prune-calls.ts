import type { Database } from '#kernel/database'
import { firstIdOf } from './first-id-of.ts'

export interface PruneCallsOptions {
  readonly olderThan: Date
  readonly signal?: AbortSignal | undefined
}

const chunkSize = 5000

/** Ids begin with the time, so the walk needs no other index; it passes over what it has deleted already. */
const pruneStatement = `
  with removed as (
    delete from model_calls
    where id in (
      select id from model_calls where id >= $1::uuid and id < $2::uuid order by id limit ${chunkSize}
    )
    returning id
  )
  select id as last, count(*) over () as count from removed order by id desc limit 1
`

/**
 * Deletes calls that began earlier, in small commits that hold nobody up; their days stay. Answers how many went. The room
 * they took is used again by later calls.
 */
export async function pruneCalls(
  database: Database,
  { olderThan, signal }: PruneCallsOptions,
): Promise<number> {
  const end = firstIdOf(olderThan)
  let total = 0
  let from = firstIdOf(new Date(0))
  for (;;) {
    signal?.throwIfAborted()
    const [chunk] = await database.query<{ last: string; count: number }>(pruneStatement, [from, end])
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
    from = chunk.last
  }
}
