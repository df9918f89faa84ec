import { setTimeout as delay } from 'node:timers/promises'
import type { Session } from '#kernel/database'
import { errorCode } from '#kernel/postgres'
import { defaultPartitionOf, type Partition, type PartitionedTable } from './partition-catalogue.ts'

/** A range of keys; without a start it contains all keys before its end. */
export interface KeyRange {
  readonly start: number | undefined
  /** Not included. */
  readonly end: number
}

/** Key of the advisory lock that a backup shares; every release must use the same one. */
const dropLock = 7_488_413_020

/** A statement that waits for a lock holds up every later statement on the table, so no statement waits longer than this. */
const lockTimeoutMs = 100
const maxLockAttempts = 20

/** The lock was not free in time, or waiting for it was a deadlock. */
const lockFailures = new Set(['55P03', '40P01'])

/**
 * Adds an empty partition. Without the lock of the table, a row of the range that is on its way into the default partition would be
 * refused.
 */
export async function addPartition(
  session: Session,
  table: PartitionedTable,
  range: KeyRange,
): Promise<void> {
  const name = partitionNameOf(table, range)
  await inTransaction(session, [
    `create table ${name} (like ${table.name} including all)`,
    `lock table only ${table.name} in access exclusive mode`,
    `alter table ${table.name} attach partition ${name} ${boundsOf(table, range)}`,
  ])
}

/**
 * Makes the default partition that of a range, which must contain all its rows, and adds an empty default partition. A validated check
 * of the range comes first, because attaching would read all rows under a lock. Until the check is removed it refuses keys beyond the
 * range, so the range has to end far ahead of the current key.
 */
export async function turnDefaultIntoPartition(
  session: Session,
  table: PartitionedTable,
  range: KeyRange,
): Promise<void> {
  const name = partitionNameOf(table, range)
  const fallback = defaultPartitionOf(table)
  const check = checkOf(table)
  const { column, valueAt } = table.key
  const start = range.start === undefined ? '' : `${column} >= '${valueAt(range.start)}' and `
  try {
    await inTransaction(session, [
      `alter table ${fallback} add constraint ${check} check (${start}${column} < '${valueAt(range.end)}') not valid`,
    ])
    await session.query(`alter table ${fallback} validate constraint ${check}`)
    await inTransaction(session, [
      `alter table ${table.name} detach partition ${fallback}`,
      `alter table ${fallback} rename to ${name}`,
      `alter table ${table.name} attach partition ${name} ${boundsOf(table, range)}`,
      `alter table ${name} drop constraint ${check}`,
      `create table ${fallback} (like ${table.name} including all)`,
      `alter table ${table.name} attach partition ${fallback} default`,
    ])
  } catch (error) {
    await removeCheck(session, table).catch(() => {})
    throw error
  }
}

/** Removes the check of a process that was killed while it turned the default partition into another one. */
export async function removeCheck(session: Session, table: PartitionedTable): Promise<void> {
  const fallback = defaultPartitionOf(table)
  const [found] = await session.query(
    'select from pg_constraint where conrelid = $1::regclass and conname = $2',
    [fallback, checkOf(table)],
  )
  if (found === undefined) return
  await inTransaction(session, [`alter table ${fallback} drop constraint ${checkOf(table)}`])
}

/** Drops a partition with its rows. Returns false while a backup runs, which has yet to read them. */
export async function dropPartition(session: Session, { name }: Partition): Promise<boolean> {
  const [lock] = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    dropLock,
  ])
  if (lock?.taken !== true) return false
  try {
    await inTransaction(session, [`drop table ${name}`])
    return true
  } finally {
    await session.query('select pg_advisory_unlock($1)', [dropLock])
  }
}

/** Keeps partitions from being dropped until the session ends. Waits for one that is being dropped. */
export async function keepPartitions(session: Session): Promise<void> {
  await session.query('select pg_advisory_lock_shared($1)', [dropLock])
}

/** The name of the partition of a range. */
export function partitionNameOf({ name, key }: PartitionedTable, { end }: KeyRange): string {
  return `${name}_to_${key.label(end)}`
}

function boundsOf({ key }: PartitionedTable, { start, end }: KeyRange): string {
  const from = start === undefined ? 'minvalue' : `'${key.valueAt(start)}'`
  return `for values from (${from}) to ('${key.valueAt(end)}')`
}

function checkOf(table: PartitionedTable): string {
  return `${defaultPartitionOf(table)}_range`
}

/** Commits all statements or none. Gives up its turn when a lock is not free, and tries again. */
async function inTransaction(session: Session, statements: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.query('begin')
      await session.query(`set local lock_timeout = ${lockTimeoutMs}`)
      for (const statement of statements) await session.query(statement)
      await session.query('commit')
      return
    } catch (error) {
      await session.query('rollback').catch(() => {})
      if (!lockFailures.has(errorCode(error) ?? '') || attempt === maxLockAttempts) throw error
      await delay(lockTimeoutMs * 5)
    }
  }
}
