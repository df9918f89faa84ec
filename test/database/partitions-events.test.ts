import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inspectBackup, restoreBackup, writeBackup } from '#kernel/backup'
import type { Database } from '#kernel/database'
import { type Events, eventsMigrations } from '#kernel/events'
import { closePool } from '../support/close-pool.ts'
import { eventually } from '../support/eventually.ts'
import { readTableContents } from '../support/table-contents.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { connectAgain, createLogDatabase, idsOf, openEvents, range, take } from './events-setting.ts'
import { dayMs, maintain, rowsByPartition } from './partitions-setting.ts'

const never = new AbortController().signal
const million = 1_000_000

const rowsOf = (database: Database) => rowsByPartition(database, 'kernel_events')

/** As if this many events had been appended and removed again. */
async function skipTo(database: Database, id: number): Promise<void> {
  await database.query('update kernel_event_clock set last_id = $1', [id])
}

async function age(database: Database, days: number, upTo: number): Promise<void> {
  await database.query(`update kernel_events set created_at = now() - $1 * interval '1 day' where id <= $2`, [
    days,
    upTo,
  ])
}

async function appendMany(events: Events, count: number): Promise<number[]> {
  return await events.append(range(1, count).map(() => ({ type: 'many.of', subject: 'it', account: 'ada' })))
}

/** A first event that is so old that partitions have the least width. */
async function appendOldest(database: Database, events: Events): Promise<void> {
  await appendMany(events, 1)
  await age(database, 9000, 1)
}

/** A partition for each event of so many days ago. The first one also has an older event. */
async function fillPartitions(database: Database, events: Events, days: readonly number[]): Promise<void> {
  await appendOldest(database, events)
  for (const [index, ago] of days.entries()) {
    await skipTo(database, index * million + 5)
    await maintain(database, { table: 'events', days: 10_000 })
    const [id = 0] = await appendMany(events, 1)
    await database.query(
      `update kernel_events set created_at = now() - $1 * interval '1 day' where id = $2`,
      [ago, id],
    )
  }
  await skipTo(database, days.length * million + 5)
  await maintain(database, { table: 'events', days: 10_000 })
}

test('events are in the partition of their id, created ahead', async () => {
  await using database = await createLogDatabase()
  await using events = openEvents(database)
  await maintain(database, { table: 'events' })
  expect(await rowsOf(database)).toEqual({
    kernel_events_default: 0,
    kernel_events_to_1000000: 0,
    kernel_events_to_2000000: 0,
  })
  await appendOldest(database, events)
  await appendMany(events, 2)
  await skipTo(database, million - 2)
  expect(await appendMany(events, 3)).toEqual([999_999, 1_000_000, 1_000_001])
  await maintain(database, { table: 'events' })
  expect(await rowsOf(database)).toEqual({
    kernel_events_default: 0,
    kernel_events_to_1000000: 4,
    kernel_events_to_2000000: 2,
    kernel_events_to_3000000: 0,
  })
})

test('the width of partitions follows the growth of the log', async () => {
  await using database = await createLogDatabase()
  await using events = openEvents(database)
  await appendMany(events, 2)
  await age(database, 10, 1)
  await skipTo(database, 50 * million)
  await appendMany(events, 1)
  // Five million events a day, and a partition has two of thirty days.
  await maintain(database, { table: 'events' })
  expect(Object.keys(await rowsOf(database)).sort()).toEqual([
    'kernel_events_default',
    'kernel_events_to_60000001',
    'kernel_events_to_70000001',
  ])
})

test('no event is refused or skipped without a partition, and the partition is made later', async () => {
  await using database = await createLogDatabase()
  await using events = openEvents(database)
  await maintain(database, { table: 'events' })
  await appendOldest(database, events)
  await appendMany(events, 1)
  await skipTo(database, 2 * million - 2)
  const followed = take(events.follow({ after: 2 * million - 3, signal: never, subject: 'it' }), 6)
  await appendMany(events, 4)
  expect(await rowsOf(database)).toMatchObject({ kernel_events_to_2000000: 1, kernel_events_default: 3 })

  await maintain(database, { table: 'events' })
  expect(await rowsOf(database)).toEqual({
    kernel_events_default: 0,
    kernel_events_to_1000000: 2,
    kernel_events_to_2000000: 1,
    kernel_events_to_3000002: 3,
    kernel_events_to_4000002: 0,
  })
  await appendMany(events, 2)
  expect(idsOf(await followed)).toEqual(range(2 * million - 1, 2 * million + 4))
  const page = await events.read({ after: 0, limit: 10, account: 'ada' })
  expect(idsOf([...page.events])).toEqual([1, 2, ...range(2 * million - 1, 2 * million + 4)])
  expect(idsOf(await events.readNewest({ limit: 3, subject: 'it' }))).toEqual(
    range(2 * million + 2, 2 * million + 4),
  )
})

test('retention drops partitions, keeps those with a younger event, and deletes what is overdue', async () => {
  await using database = await createLogDatabase()
  await using events = openEvents(database)
  await fillPartitions(database, events, [50, 40, 31, 3])
  // A younger event in the third partition keeps the older one beside it.
  await database.query(
    `insert into kernel_events (id, type, data, created_at) values (2500000, 'a.thing', '{}', now() - interval '29 days')`,
  )
  await maintain(database, { table: 'events' })
  const { kernel_events_default: outside, ...partitions } = await rowsOf(database)
  expect(outside).toBe(0)
  expect(
    Object.values(partitions)
      .filter((rows) => rows > 0)
      .toSorted((one, other) => one - other),
  ).toEqual([1, 2])
  const [oldest] = (await events.read({ after: 0, limit: 5 })).events
  expect(oldest?.id).toBe(2 * million + 6)

  await events.prune({ olderThan: new Date(Date.now() - 30 * dayMs) })
  expect(idsOf([...(await events.read({ after: 0, limit: 5 })).events])).toEqual([2_500_000, 3 * million + 6])
  await expect(events.checkCursor(2 * million)).rejects.toMatchObject({ code: 'cursor_out_of_range' })
})

test('appends go on while partitions are dropped, also when a reader is in the way', async () => {
  await using database = await createLogDatabase()
  await using events = openEvents(database)
  const old = [90, 80, 70, 60, 50, 45, 40, 35]
  await fillPartitions(database, events, old)
  const before = Object.keys(await rowsOf(database)).length

  const stopped = new AbortController()
  const waits: number[] = []
  async function appendUntilStopped(): Promise<void> {
    while (!stopped.signal.aborted) {
      const startedAt = performance.now()
      await appendMany(events, 1)
      waits.push(performance.now() - startedAt)
    }
  }
  const appending = Promise.all(range(1, 4).map(appendUntilStopped))
  const [first] = await database.query<{ name: string }>(
    `select min(tableoid::regclass::text) as name from kernel_events where id < $1`,
    [million],
  )
  await using other = await connectAgain(database.url)
  const dropping = other.withSession(async (reader) => {
    await reader.query(`begin; select * from ${first?.name}`)
    const waiting = maintain(database, { table: 'events' })
    // The statement waits for the reader, or has given up its turn.
    await eventually(async () => {
      const found = await other.query(`
        select from pg_stat_activity
        where datname = current_database()
          and (query like 'drop table%' and wait_event_type = 'Lock' or query = 'rollback')
      `)
      return found.length > 0
    })
    // They go on although the reader stays: more events than were on their way.
    const appended = waits.length
    await eventually(() => waits.length > appended + 4)
    await reader.query('rollback')
    await waiting
  })
  await dropping
  stopped.abort()
  await appending
  expect(before - Object.keys(await rowsOf(database)).length).toBe(old.length)
  // The statement that drops gives up its turn after 100 ms; a busy machine adds the rest.
  const late = waits.filter((wait) => wait > 8000)
  expect(late).toEqual([])
  expect(await events.count({ account: 'ada' })).toBe(waits.length)
})

test('replicas maintain partitions at the same time without a failure', async () => {
  await using database = await createLogDatabase()
  await using second = await connectAgain(database.url)
  await Promise.all([database, second, database].map((replica) => maintain(replica, { table: 'events' })))
  expect(Object.keys(await rowsOf(database))).toHaveLength(3)
})

test('a check that a killed process left is removed', async () => {
  await using database = await createLogDatabase()
  await using events = openEvents(database)
  await appendMany(events, 1)
  await database.query(
    `alter table kernel_events_default add constraint kernel_events_default_range check (id < 5) not valid`,
  )
  await maintain(database, { table: 'events' })
  await skipTo(database, 2 * million)
  await appendMany(events, 1)
  expect(await rowsOf(database)).toMatchObject({ kernel_events_to_1000001: 1, kernel_events_default: 1 })
})

test('rows of a dropped range do not stop the creation of partitions', async () => {
  await using database = await createLogDatabase()
  await using events = openEvents(database)
  await fillPartitions(database, events, [50, 3])
  await maintain(database, { table: 'events' })
  await database.query(
    `insert into kernel_events (id, type, data, created_at) values (7, 'a.thing', '{}', now() - interval '50 days')`,
  )
  await skipTo(database, 3 * million)
  await maintain(database, { table: 'events' })
  expect(await rowsOf(database)).toMatchObject({ kernel_events_default: 1 })
  await skipTo(database, 9 * million)
  await appendMany(events, 1)
  await maintain(database, { table: 'events' })
  expect(await rowsOf(database)).toMatchObject({ kernel_events_default: 2 })
  await events.prune({ olderThan: new Date(Date.now() - 30 * dayMs) })
  await maintain(database, { table: 'events' })
  expect(await rowsOf(database)).toMatchObject({ kernel_events_default: 0 })
  expect((await appendMany(events, 1))[0]).toBe(9 * million + 2)
})

test('a backup keeps partitions from being dropped, and is restored into the default partition', async () => {
  await using database = await createLogDatabase()
  await using events = openEvents(database)
  await fillPartitions(database, events, [50, 40, 3])
  const folder = await mkdtemp(join(tmpdir(), 'tutti-partitions-'))
  await using closing = new AsyncDisposableStack()
  closing.defer(() => rm(folder, { recursive: true }))
  const path = join(folder, 'backup.tar')
  let didMaintain = false
  await writeBackup({
    database,
    path,
    program: '0.1.0',
    secrets: [],
    objects: {
      async list() {
        await maintain(database, { table: 'events' })
        didMaintain = true
        return []
      },
      read: async () => undefined,
    },
  })
  expect(didMaintain).toBe(true)
  const before = await readTableContents(database)
  expect(before['kernel_events']).toContain('4 rows')

  await using target = await createTestDatabase({ start: 'empty' })
  const backup = await inspectBackup(path)
  const restore = { database: target, sets: [eventsMigrations], backup }
  await restoreBackup({ ...restore, replace: false })
  expect(await readTableContents(target)).toEqual(before)
  await maintain(target, { table: 'events', days: 10_000 })
  expect(await rowsOf(target)).toMatchObject({ kernel_events_default: 0 })
  expect(await readTableContents(target)).toEqual(before)
  await using restored = openEvents(target)
  expect(await appendMany(restored, 1)).toEqual([3 * million + 6])

  // Also over tables that have partitions, which no migration names.
  await restored.close()
  await closePool(target)
  await restoreBackup({ ...restore, replace: true })
  expect(await readTableContents(target)).toEqual(before)
  expect(Object.keys(await rowsOf(target))).toEqual(['kernel_events_default'])

  await maintain(database, { table: 'events' })
  expect(Object.values(await rowsOf(database)).reduce((sum, rows) => sum + rows, 0)).toBe(1)
})
