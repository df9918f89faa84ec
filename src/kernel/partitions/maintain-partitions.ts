import type { Database, Session } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import {
  addPartition,
  dropPartition,
  type KeyRange,
  partitionNameOf,
  removeCheck,
  turnDefaultIntoPartition,
} from './change-partitions.ts'
import {
  defaultPartitionOf,
  type Partition,
  type PartitionedTable,
  readPartitions,
} from './partition-catalogue.ts'
import type { KeyProgress, PartitionKey } from './partition-keys.ts'
import { partitionPeriodMs } from './partition-period.ts'

/** A partitioned table and how long its rows are kept, read in each run. */
export interface RetainedTable {
  readonly table: PartitionedTable
  readonly retentionMs: () => number
}

export interface PartitionTaskOptions {
  readonly database: Database
  readonly log: Logger
  readonly tables: readonly RetainedTable[]
}

/** Key of the advisory lock; every release must use the same one. */
const maintenanceLock = 7_488_413_021

/**
 * The recurring task that creates partitions ahead of time and drops those whose rows are all past their retention.
 *
 * | the default partition has               | then                                                                           |
 * |-----------------------------------------|--------------------------------------------------------------------------------|
 * | no rows                                 | missing partitions are created                                                 |
 * | rows after the last partition only      | it becomes the next partition: none was created in time, or the table was      |
 * |                                         | not partitioned before                                                         |
 * | rows before the last partition only     | the same as without rows; retention deletes them, because their partition is gone |
 * | both                                    | nothing is created until retention has deleted the older ones                  |
 */
export function createPartitionTask({ database, log, tables }: PartitionTaskOptions) {
  return {
    name: 'partitions.maintain',
    everyMs: 600_000,
    async run(signal: AbortSignal): Promise<void> {
      await database.withSession(async (session) => {
        const [lock] = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
          maintenanceLock,
        ])
        if (lock?.taken !== true) return
        const failures: unknown[] = []
        for (const { table, retentionMs } of tables) {
          const options = { retentionMs: retentionMs(), now: database.clock.now(), signal }
          try {
            const { created, dropped } = await maintainTable(session, table, options)
            if (created.length + dropped.length > 0)
              log.info({ table: table.name, created, dropped }, 'changed the partitions of a table')
          } catch (error) {
            // A table that is locked for long must not keep the others without partitions.
            failures.push(error)
          }
        }
        if (failures.length > 0) throw failures[0]
      })
    },
  }
}

interface MaintainOptions {
  readonly retentionMs: number
  readonly now: Date
  readonly signal: AbortSignal
}

async function maintainTable(
  session: Session,
  table: PartitionedTable,
  { retentionMs, now, signal }: MaintainOptions,
) {
  await removeCheck(session, table)
  const { key } = table
  const progress = await key.readProgress(session, { now, periodMs: partitionPeriodMs(retentionMs) })
  const partitions = await readPartitions(session, table)
  const outside = await readDefaultRange(session, table)
  const last = partitions.at(-1)?.end
  const isAfter = outside !== undefined && (last === undefined || outside.newest >= last)
  const isMixed = isAfter && last !== undefined && outside.oldest < last
  const created: string[] = []
  const newest = isAfter ? outside.newest : undefined
  for (const range of isMixed ? [] : planRanges(key, progress, { last, newest })) {
    signal.throwIfAborted()
    if (isAfter && created.length === 0) await turnDefaultIntoPartition(session, table, range)
    else await addPartition(session, table, range)
    created.push(partitionNameOf(table, range))
  }
  const olderThan = new Date(now.getTime() - retentionMs)
  const dropped = await dropOverPartitions(session, table, { partitions, olderThan, signal })
  return { created, dropped }
}

interface ExistingRows {
  /** The end of the last partition. */
  readonly last: number | undefined
  /** The newest row of the default partition, if it is after the last partition. */
  readonly newest: number | undefined
}

/**
 * The ranges that are missing after the last partition, so that the key can grow for at least a period. The first contains the newest
 * row of the default partition, too, and ends at least a period after it.
 */
function planRanges(
  { alignUp }: Pick<PartitionKey, 'alignUp'>,
  { current, width }: KeyProgress,
  { last, newest = 0 }: ExistingRows,
): KeyRange[] {
  const ranges: KeyRange[] = []
  let start = last
  while (start === undefined || start <= Math.max(newest, current + width)) {
    const end = alignUp(Math.max(start ?? 0, current, newest) + width)
    ranges.push({ start, end })
    start = end
  }
  return ranges
}

async function readDefaultRange(session: Session, table: PartitionedTable) {
  const { column, positionOf } = table.key
  const fallback = defaultPartitionOf(table)
  const [row] = await session.query<{ oldest: string; newest: string }>(`
    select oldest.value as oldest, newest.value as newest
    from (select ${column}::text as value from ${fallback} order by ${column} limit 1) as oldest,
      (select ${column}::text as value from ${fallback} order by ${column} desc limit 1) as newest
  `)
  return row && { oldest: positionOf(row.oldest), newest: positionOf(row.newest) }
}

interface DropOptions {
  readonly partitions: readonly Partition[]
  readonly olderThan: Date
  readonly signal: AbortSignal
}

/** Oldest first, up to the first partition with a row that stays. */
async function dropOverPartitions(
  session: Session,
  table: PartitionedTable,
  { partitions, olderThan, signal }: DropOptions,
): Promise<string[]> {
  const dropped: string[] = []
  for (const partition of partitions) {
    signal.throwIfAborted()
    if (!(await table.key.isOver(session, partition, olderThan))) break
    if (!(await dropPartition(session, partition))) break
    dropped.push(partition.name)
  }
  return dropped
}
