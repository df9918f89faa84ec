import type { Database } from '#kernel/database'
import type { RecurringTask } from '#kernel/work'
import { addCounts } from './add-counts.ts'
import { settle } from './count-event.ts'
import { lockSilentPlays, writePlays } from './store-plays.ts'

/** A visitor without an event for this long has left. */
const silenceMs = 30 * 60_000

/** Plays are deleted after this; their counts stay. */
const keepDays = 90

const chunkSize = 500

/** Settles plays of visitors who left without a last event, and deletes old plays. */
export function createSettlePlaysTask(database: Database): RecurringTask {
  return {
    name: 'tours.settle_plays',
    everyMs: 60_000,
    async run(signal) {
      while ((await settleSome(database)) === chunkSize) signal.throwIfAborted()
      while ((await deleteSomeOld(database)) === chunkSize) signal.throwIfAborted()
    },
  }
}

async function settleSome(database: Database): Promise<number> {
  return await database.transaction(async (transaction) => {
    const silent = await lockSilentPlays(transaction, { silenceMs, limit: chunkSize })
    const settled = silent.map((stored) => ({ ...stored, ...settle(stored.play) }))
    await writePlays(transaction, settled)
    await addCounts(
      transaction,
      settled.flatMap(({ tourId, counts }) => counts.map((count) => ({ ...count, tourId }))),
    )
    return silent.length
  })
}

async function deleteSomeOld(database: Database): Promise<number> {
  const rows = await database.query(
    `
      delete from tour_plays where (tour_id, play) in (
        select tour_id, play from tour_plays
        where settled and last_at < now() - $1 * interval '1 day'
        order by last_at
        limit ${chunkSize}
        for update skip locked
      )
      returning 1
    `,
    [keepDays],
  )
  return rows.length
}
