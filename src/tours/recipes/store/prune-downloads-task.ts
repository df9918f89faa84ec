import type { Database } from '#kernel/database'
import type { RecurringTask } from '#kernel/work'
import { pruneDownloads } from './downloads.ts'

/** Exports wait for an hour; one that was never fetched is not kept much longer. */
export function createPruneDownloadsTask(database: Database): RecurringTask {
  return {
    name: 'tours.prune_exports',
    everyMs: 10 * 60_000,
    async run() {
      await pruneDownloads(database)
    },
  }
}
