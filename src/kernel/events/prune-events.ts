import type { Database } from '#kernel/database'

export interface PruneOptions {
  readonly olderThan: Date
  readonly signal?: AbortSignal
}

const chunkSize = 5000

/** Time increases with the id, so the scan starts at the oldest id and needs no index on the time. */
const pruneStatement = `
  with chunk as (
    select id, created_at from kernel_events where id > $1 order by id limit ${chunkSize}
  ),
  removed as (
    delete from kernel_events
    where id in (select id from chunk where created_at < $2)
    returning id
  )
  select count(*) as count, coalesce(max(id), $1) as last from removed
`

/** Deletes older events in small commits, which do not block appenders for long, and returns their number. */
export async function pruneEvents(database: Database, { olderThan, signal }: PruneOptions): Promise<number> {
  let total = 0
  let after = 0
  for (;;) {
    signal?.throwIfAborted()
    const [chunk] = await database.query<{ count: number; last: number }>(pruneStatement, [after, olderThan])
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
    after = chunk.last
  }
}
