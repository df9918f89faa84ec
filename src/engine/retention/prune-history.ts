import type { Database } from '#kernel/database'
import { accountRollUp, type Grain, grains, rollUps } from '../history/roll-up.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Hourly rows of accounts are by far the most, and no query reads them after a month. */
const accountHoursKeptMs = 40 * dayMs

/** Minutes cover the last day and the day before it, with which it is compared. */
const keptMs: Readonly<Record<Grain, number>> = {
  minute: 50 * hourMs,
  hour: 400 * dayMs,
  day: 400 * dayMs,
}

const chunkSize = 5000

/** Deletes roll-up rows that no query reads any more, in small commits. Returns the number of rows. */
export async function pruneHistory(
  database: Pick<Database, 'query'>,
  { now, signal }: { readonly now: Date; readonly signal?: AbortSignal | undefined },
): Promise<number> {
  let total = 0
  for (const { table } of rollUps) {
    for (const grain of grains) {
      const before = new Date(now.getTime() - keptMsOf(table, grain))
      for (let count = chunkSize; count === chunkSize; total += count) {
        signal?.throwIfAborted()
        count = await deleteSome(database, table, { grain, before })
      }
    }
  }
  return total
}

function keptMsOf(table: string, grain: Grain): number {
  return table === accountRollUp.table && grain === 'hour' ? accountHoursKeptMs : keptMs[grain]
}

async function deleteSome(
  database: Pick<Database, 'query'>,
  table: string,
  { grain, before }: { readonly grain: string; readonly before: Date },
): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `
      with removed as (
        delete from ${table}
        where ctid = any (array(select ctid from ${table} where grain = $1 and at < $2 limit ${chunkSize}))
          and grain = $1 and at < $2
        returning 1
      )
      select count(*) as count from removed
    `,
    [grain, before],
  )
  return row?.count ?? 0
}
