import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { settleLostReservations } from './budgets/lost-reservations.ts'
import { deleteOldSpend } from './budgets/spend-days.ts'
import { firstIdOf } from './usage/first-id-of.ts'

/** A recurring task: of all replicas, one at a time runs it. */
export interface ModelsTask {
  readonly name: string
  readonly everyMs: number
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface MaintenanceOptions {
  readonly database: Database
  readonly log: Logger
  readonly callRetentionMs: number
}

/** Closes the books on calls whose process was lost, and keeps the tables small. */
export function createModelsTasks({
  database,
  log,
  callRetentionMs,
}: MaintenanceOptions): readonly ModelsTask[] {
  return [
    {
      name: 'models.lost-calls',
      everyMs: 60_000,
      async run() {
        const lost = await settleLostReservations(database)
        if (lost > 0)
          log.warn({ calls: lost }, 'calls of lost processes were counted with the most they can have cost')
      },
    },
    {
      name: 'models.clean-up',
      everyMs: 3_600_000,
      async run(signal) {
        const olderThan = new Date(Date.now() - callRetentionMs)
        const removed = {
          calls: await pruneCalls(database, { olderThan, signal }),
          days: await deleteOldSpend(database),
        }
        log.debug(removed, 'removed old calls of models')
      },
    },
  ]
}

interface PruneCallsOptions {
  readonly olderThan: Date
  readonly signal?: AbortSignal | undefined
}

const chunkSize = 5000

/** Ids begin with the time, so the walk needs no other index; it passes over what it has deleted already. */
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
 * Deletes calls that began earlier, in small commits that hold nobody up; their days stay. Answers how many went. The room
 * they took is used again by later calls.
 */
export async function pruneCalls(
  database: Database,
  { olderThan, signal }: PruneCallsOptions,
): Promise<number> {
  const end = firstIdOf(olderThan)
  let total = 0
  let from = firstIdOf(new Date(0))
  for (;;) {
    signal?.throwIfAborted()
    const [chunk] = await database.query<{ last: string; count: number }>(pruneStatement, [from, end])
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
    from = chunk.last
  }
}
