import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import { pruneDrafts } from '../flows/drafts.ts'
import { accountRollUp, type Grain, grains, rollUps } from '../history/roll-up.ts'

export interface RetentionOptions {
  readonly database: Database
  readonly log: Logger
  /** Read in each run. */
  readonly settings: { readonly executionRetentionMs: number }
  readonly now?: () => Date
}

const executionTables = [
  'engine_executions',
  'engine_steps',
  'engine_journal',
  'engine_waits',
  'engine_finished',
] as const

/** Longer than the time between storing a draft and running it. */
const draftsKeptMs = 3_600_000

/** The recurring task that deletes old executions and roll-ups, and frees their space. */
export function createRetentionTask(options: RetentionOptions): RecurringTask {
  const { database, log, settings, now = () => new Date() } = options
  return {
    name: 'engine.prune',
    everyMs: 3_600_000,
    async run(signal) {
      const olderThan = new Date(now().getTime() - settings.executionRetentionMs)
      const executions = await pruneExecutions(database, { olderThan, signal })
      if (executions > 0) await vacuumTables(database, executionTables, signal)
      await pruneDrafts(database, { olderThan: new Date(now().getTime() - draftsKeptMs) })
      const sums = await pruneHistory(database, { now: now(), signal })
      if (sums > 0)
        await vacuumTables(
          database,
          rollUps.map(({ table }) => table),
          signal,
        )
      if (executions + sums > 0) log.info({ executions, sums }, 'deleted old executions and roll-ups')
    },
  }
}

/**
 * Makes the space of deleted rows available to new ones, and returns empty pages at the end of a table to the system. Autovacuum would do
 * it later; doing it now keeps the tables from growing. Cannot run inside a transaction.
 */
async function vacuumTables(
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

interface PruneOptions {
  readonly olderThan: Date
  readonly signal?: AbortSignal | undefined
}

const chunkSize = 500

/**
 * Executions that ended long ago, with everything that belongs to them. Excludes executions that are not rolled up yet, and locked ones,
 * which are being recovered. Continues at the time where the statement before ended: while an old snapshot is open, as during a backup,
 * the index keeps the entries of deleted rows, and each statement would read past all of them.
 */
const pruneStatement = `
  with old as materialized (
    select execution.id, execution.finished_at from engine_executions as execution
    where execution.work_state = 'finished'
      and execution.finished_at < $1
      and execution.finished_at >= $2
      and not exists (select from engine_finished as waiting where waiting.execution_id = execution.id)
    order by execution.finished_at
    limit ${chunkSize}
    for update skip locked
  ),
  steps as (delete from engine_steps using old where engine_steps.execution_id = old.id),
  journal as (delete from engine_journal using old where engine_journal.execution_id = old.id),
  waits as (delete from engine_waits using old where engine_waits.execution_id = old.id),
  letters as (delete from engine_dead_letters using old where engine_dead_letters.execution_id = old.id),
  executions as (delete from engine_executions using old where engine_executions.id = old.id)
  select count(*) as count, max(finished_at) as last from old
`

/** Deletes executions that ended before a time, in small commits that hold locks only briefly. Returns their number. */
async function pruneExecutions(
  database: Pick<Database, 'query'>,
  { olderThan, signal }: PruneOptions,
): Promise<number> {
  let total = 0
  let after: Date | '-infinity' = '-infinity'
  for (;;) {
    signal?.throwIfAborted()
    const [chunk] = await deleteChunk(database, [olderThan, after])
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
    after = chunk.last ?? after
  }
}

interface DeletedChunk {
  readonly count: number
  /** When the last of them ended. */
  readonly last: Date | null
}

function deleteChunk(
  database: Pick<Database, 'query'>,
  values: readonly [olderThan: Date, after: Date | '-infinity'],
): Promise<DeletedChunk[]> {
  return database.query<DeletedChunk>(pruneStatement, values)
}

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

const maxRows = 5000

/** Deletes roll-up rows that no query reads any more, in small commits. Returns the number of rows. */
async function pruneHistory(
  database: Pick<Database, 'query'>,
  { now, signal }: { readonly now: Date; readonly signal?: AbortSignal | undefined },
): Promise<number> {
  let total = 0
  for (const { table } of rollUps) {
    for (const grain of grains) {
      const before = new Date(now.getTime() - keptMsOf(table, grain))
      for (let count = maxRows; count === maxRows; total += count) {
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

/** Skips locked rows: a roll-up that subtracts an old end writes several of them in another order. */
async function deleteSome(
  database: Pick<Database, 'query'>,
  table: string,
  { grain, before }: { readonly grain: string; readonly before: Date },
): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `
      with removed as (
        delete from ${table}
        where ctid = any (array(
            select ctid from ${table} where grain = $1 and at < $2 limit ${maxRows} for update skip locked
          ))
          and grain = $1 and at < $2
        returning 1
      )
      select count(*) as count from removed
    `,
    [grain, before],
  )
  return row?.count ?? 0
}
