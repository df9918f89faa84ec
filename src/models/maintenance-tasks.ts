import type { Database } from '#kernel/database'
import { firstIdAt, maxOverdueMs, type RetainedTable, timeKey } from '#kernel/partitions'
import type { Logger } from '#kernel/telemetry'
import { settleLostReservations } from './budgets/lost-reservations.ts'
import { deleteOldSpend } from './budgets/spend.ts'
import { pruneContents } from './recording/content-store.ts'
import { deleteExpiredResponses } from './stored-responses/stored-responses.ts'

/** A recurring task, which one replica at a time runs. */
export interface ModelsTask {
  readonly name: string
  readonly everyMs: number
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface MaintenanceOptions {
  readonly database: Database
  readonly log: Logger
  /** Read in each run. */
  readonly settings: { readonly callRetentionMs: number; readonly recordingRetentionMs: number }
}

/** Settles the calls of lost processes and deletes old rows. */
export function createModelsTasks({ database, log, settings }: MaintenanceOptions): readonly ModelsTask[] {
  return [
    {
      name: 'models.lost-calls',
      everyMs: 60_000,
      async run() {
        const lost = await settleLostReservations(database)
        if (lost > 0)
          log.warn({ calls: lost }, 'calls of lost processes were settled with their whole reservation')
      },
    },
    {
      name: 'models.clean-up',
      everyMs: 3_600_000,
      async run(signal) {
        const { callRetentionMs } = settings
        const olderThan = new Date(Date.now() - callRetentionMs - maxOverdueMs(callRetentionMs))
        const removed = {
          calls: await pruneCalls(database, { olderThan, signal }),
          spend: await deleteOldSpend(database),
          responses: await deleteExpiredResponses(database, signal),
        }
        log.debug(removed, 'deleted old model calls and responses')
      },
    },
    {
      name: 'models.delete-recordings',
      everyMs: 600_000,
      async run(signal) {
        const beforeId = firstIdAt(new Date(Date.now() - settings.recordingRetentionMs))
        const removed = await pruneContents(database, { beforeId, signal })
        log.debug({ calls: removed }, 'deleted old contents of model calls')
      },
    },
  ]
}

/** Calls in partitions by the time at which they started. */
export function createCallPartitions(settings: { readonly callRetentionMs: number }): RetainedTable {
  return { table: { name: 'model_calls', key: timeKey }, retentionMs: () => settings.callRetentionMs }
}

interface PruneCallsOptions {
  readonly olderThan: Date
  readonly signal?: AbortSignal | undefined
}

const chunkSize = 5000

/** Ids start with the time, so the primary key serves as the index. Each chunk continues after the last deleted id. */
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
 * Deletes calls that started earlier, in small commits that hold locks only briefly. Daily totals stay. Returns the number of
 * deleted calls.
 */
export async function pruneCalls(
  database: Database,
  { olderThan, signal }: PruneCallsOptions,
): Promise<number> {
  const end = firstIdAt(olderThan)
  let total = 0
  let from = firstIdAt(new Date(0))
  for (;;) {
    signal?.throwIfAborted()
    const [chunk] = await database.query<{ last: string; count: number }>(pruneStatement, [from, end])
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
    from = chunk.last
  }
}
