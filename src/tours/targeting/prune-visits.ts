import type { Database } from '#kernel/database'
import type { RecurringTask } from '#kernel/work'

/** A user who has not ended a tour for this long may get it again. Longer than the longest frequency. */
export const keepDays = 400

/** The page gives the ids of users, and anybody can send a request: the number of rows of a site is bounded. */
const maxVisitsOfSite = 1_000_000

const chunkSize = 1000

/** Deletes old visits, and the oldest of a site that has too many. */
export function createPruneVisitsTask(
  database: Pick<Database, 'query'>,
  bound = maxVisitsOfSite,
): RecurringTask {
  return {
    name: 'tours.prune_visits',
    everyMs: 600_000,
    async run(signal) {
      while ((await deleteSomeOld(database)) === chunkSize) signal.throwIfAborted()
      const sites = await database.query<{ id: string }>('select id from tour_sites', [])
      for (const { id } of sites) {
        while ((await deleteSomeBeyond(database, id, bound)) === chunkSize) signal.throwIfAborted()
      }
    },
  }
}

async function deleteSomeOld(database: Pick<Database, 'query'>): Promise<number> {
  const rows = await database.query(
    `
      delete from tour_visits where ctid = any (array(
        select ctid from tour_visits where ended_at < now() - $1 * interval '1 day'
        order by ended_at limit ${chunkSize}
        for update skip locked
      ))
      returning 1
    `,
    [keepDays],
  )
  return rows.length
}

async function deleteSomeBeyond(
  database: Pick<Database, 'query'>,
  site: string,
  bound: number,
): Promise<number> {
  const rows = await database.query(
    `
      delete from tour_visits where ctid = any (array(
        select ctid from tour_visits where site_id = $1
        order by ended_at desc offset $2 limit ${chunkSize}
      ))
      returning 1
    `,
    [site, bound],
  )
  return rows.length
}
