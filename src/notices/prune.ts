import type { Database } from '#kernel/database'
import type { RecurringTask } from '#kernel/work'

const chunkSize = 1000

const pruneOver = `
  delete from notices where (id, kind) in (
    select id, kind from notices
    where state <> 'pending' and finished_at < now() - $1 * interval '1 millisecond'
    order by finished_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

/** What still waits after that and a day has nobody left to send it: whoever could would have sent it, or given it up. */
const pruneStranded = `
  delete from notices where (id, kind) in (
    select id, kind from notices
    where state = 'pending' and work_state = 'queued'
      and created_at < now() - $1 * interval '1 millisecond' - interval '1 day'
    order by created_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

/** Forgets notices that were over long ago. */
export function createPruneTask(
  database: Pick<Database, 'query'>,
  { retentionMs }: { readonly retentionMs: number },
): RecurringTask {
  return {
    name: 'notices.prune',
    everyMs: 10 * 60_000,
    async run(signal) {
      for (const statement of [pruneOver, pruneStranded]) {
        do signal.throwIfAborted()
        while ((await database.query(statement, [retentionMs])).length === chunkSize)
      }
    },
  }
}
