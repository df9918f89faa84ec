import type { Database } from '#kernel/database'
import type { RecurringTask } from '#kernel/work'

const chunkSize = 1000

/** How many days counts are kept for. */
export const keptDays = 400

const pruneRecent = `
  delete from status_usage_recent where id in (
    select id from status_usage_recent
    where received_at < now() - interval '7 days'
    order by received_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

/** A day takes what was counted on it along. */
const pruneDays = `
  delete from status_usage_days where day in (
    select day from status_usage_days where day < current_date - ${keptDays} order by day limit 10 for update skip locked
  )
  returning 1
`

/** Forgets submissions after a week, and counts after 400 days. */
export function createUsagePruneTask(database: Pick<Database, 'query'>): RecurringTask {
  return {
    name: 'status.interface_usage.prune',
    everyMs: 3_600_000,
    async run(signal) {
      do signal.throwIfAborted()
      while ((await database.query(pruneRecent)).length === chunkSize)
      do signal.throwIfAborted()
      while ((await database.query(pruneDays)).length > 0)
    },
  }
}
