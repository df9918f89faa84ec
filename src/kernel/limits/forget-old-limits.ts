import type { Database } from '#kernel/database'

const chunkSize = 5000

/** Rows that somebody is just counting in are passed over: nobody waits, and nobody can wait for each other. */
const statement = `
  with old as (
    select key from kernel_limits where ends_at <= now() limit ${chunkSize} for update skip locked
  ),
  forgotten as (
    delete from kernel_limits where key in (select key from old) returning key
  )
  select count(*) as count from forgotten
`

/** Deletes the counts of windows that are over, in small commits. Answers how many went. */
export async function forgetOldLimits(database: Database, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    signal?.throwIfAborted()
    const [chunk] = await database.query<{ count: number }>(statement)
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
  }
}
