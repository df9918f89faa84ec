import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import { pruneDrafts } from '../flows/drafts.ts'
import { rollUps } from '../history/roll-up.ts'
import { pruneExecutions } from './prune-executions.ts'
import { pruneHistory } from './prune-history.ts'

export interface RetentionOptions {
  readonly database: Database
  readonly log: Logger
  readonly executionRetentionMs: number
  readonly now?: () => Date
}

const executionTables = ['engine_executions', 'engine_steps', 'engine_journal', 'engine_finished'] as const

/** Longer than anybody waits between keeping a draft and running it. */
const draftsKeptMs = 3_600_000

/** Removes what is old, and gives its room back. */
export function createRetentionTask(options: RetentionOptions): RecurringTask {
  const { database, log, executionRetentionMs, now = () => new Date() } = options
  return {
    name: 'engine.prune',
    everyMs: 3_600_000,
    async run(signal) {
      const olderThan = new Date(now().getTime() - executionRetentionMs)
      const executions = await pruneExecutions(database, { olderThan, signal })
      if (executions > 0) await giveRoomBack(database, executionTables, signal)
      await pruneDrafts(database, { olderThan: new Date(now().getTime() - draftsKeptMs) })
      const sums = await pruneHistory(database, { now: now(), signal })
      if (sums > 0)
        await giveRoomBack(
          database,
          rollUps.map(({ table }) => table),
          signal,
        )
      if (executions + sums > 0) log.info({ executions, sums }, 'removed executions and sums that are old')
    },
  }
}

/**
 * Makes the room of deleted rows free for new ones, and returns to the system what is empty at the end of a table. The server would get to it
 * in its own time; doing it now keeps the tables from growing in between. Cannot be done inside a transaction.
 */
async function giveRoomBack(
  database: Pick<Database, 'withSession'>,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await database.withSession(async (session) => {
    for (const table of tables) {
      signal.throwIfAborted()
      await session.query(`vacuum (analyze) ${table}`)
    }
  })
}
