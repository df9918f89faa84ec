import type { Database } from '#kernel/database'
import type { RecurringTask } from '#kernel/work'
import type { Announce } from './announce.ts'
import { advanceMaintenance } from './maintenance.ts'

const chunkSize = 500

/** Longer than any page or feed looks back. */
const pruneStatement = `
  delete from status_incidents where id in (
    select id from status_incidents
    where closed_at < now() - interval '2 years'
    order by closed_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

export function createIncidentTasks(database: Database, announce: Announce): readonly RecurringTask[] {
  return [
    {
      name: 'status.maintenance',
      everyMs: 15_000,
      run: () => advanceMaintenance(database, announce),
    },
    {
      name: 'status.incidents.prune',
      everyMs: 24 * 3_600_000,
      async run(signal) {
        do signal.throwIfAborted()
        while ((await database.query(pruneStatement)).length === chunkSize)
      },
    },
  ]
}
