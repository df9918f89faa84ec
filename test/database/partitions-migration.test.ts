import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { type Database, type MigrationSet, migrate } from '#kernel/database'
import { eventsMigrations } from '#kernel/events'
import { createLogger } from '#kernel/telemetry'
import { modelsMigrations } from '../../src/models/migrations.ts'
import { createUsage } from '../../src/models/usage/usage.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { connectAgain, openEvents } from './events-setting.ts'
import { openCallAccounting, someRecord } from './models-accounting.ts'
import { maintain, rowsByPartition } from './partitions-setting.ts'

const quiet = createLogger({ level: 'silent', format: 'json' })

/** The migrations of a module without those from a file on. */
async function migrationsBefore(
  { owner, folder }: MigrationSet,
  file: string,
  into: string,
): Promise<MigrationSet> {
  const copy = join(into, owner)
  await cp(fileURLToPath(folder), copy, { recursive: true, filter: (path) => !path.endsWith(file) })
  return { owner, folder: pathToFileURL(`${copy}/`) }
}

async function fill(database: Database, rows: number): Promise<void> {
  await database.query(
    `
      with clock as (update kernel_event_clock set last_id = last_id + $1)
      insert into kernel_events (id, type, subject, account, data, created_at)
      select n, 'a.thing', 'it', 'ada', '{}', now() - interval '3 days' from generate_series(1, $1::integer) as n
    `,
    [rows],
  )
}

test('tables of the previous release become partitions while its statements run', async () => {
  await using closing = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'tutti-migrations-'))
  closing.defer(() => rm(folder, { recursive: true }))
  const previous = [
    await migrationsBefore(eventsMigrations, '0002-partitions.sql', folder),
    await migrationsBefore(modelsMigrations, '0010-call-partitions.sql', folder),
  ]
  await using database = await createTestDatabase({ start: 'empty' })
  await migrate(database, previous, quiet)
  await fill(database, 50_000)

  // A replica of the previous release: these statements are the same as before partitions, and prepared on its connections.
  await using replica = await connectAgain(database.url)
  await using events = openEvents(replica)
  await using callAccounting = openCallAccounting(replica)
  const usage = createUsage({ database: replica })
  const stopped = new AbortController()
  const [ids, calls]: [number[], string[]] = [[], []]
  async function useUntilStopped(): Promise<void> {
    while (!stopped.signal.aborted) {
      ids.push(...(await events.append([{ type: 'a.thing', subject: 'it' }, { type: 'another.thing' }])))
      const call = someRecord()
      await callAccounting.usage.record({ call })
      calls.push(call.id)
      await events.read({ after: 49_000, limit: 10, subject: 'it' })
      await usage.calls({ account: 'ada', limit: 5 })
      await events.prune({ olderThan: new Date(0) })
    }
  }
  const using = Promise.all([useUntilStopped(), useUntilStopped()])
  await eventually(() => calls.length > 10)
  expect((await migrate(database, [eventsMigrations, modelsMigrations], quiet)).ran).toBe(2)
  const before = calls.length
  await eventually(() => calls.length > before + 5)
  expect(await rowsByPartition(database, 'model_calls')).toHaveProperty('model_calls_default')
  for (const table of ['events', 'calls'] as const) await maintain(database, { table })
  const after = calls.length
  await eventually(() => calls.length > after + 5)
  stopped.abort()
  await using

  const eventRows = await rowsByPartition(database, 'kernel_events')
  expect(eventRows['kernel_events_default']).toBe(0)
  expect(Math.max(...Object.values(eventRows))).toBe(50_000 + ids.length)
  const callRows = await rowsByPartition(database, 'model_calls')
  expect(callRows['model_calls_default']).toBe(0)
  expect(Object.values(callRows).reduce((sum, rows) => sum + rows, 0)).toBe(calls.length)
  expect(ids.toSorted((a, b) => a - b)).toEqual(ids.map((_, index) => 50_001 + index))
  expect(await events.count()).toBe(50_000 + ids.length)
  const indexes = await database.query<{ invalid: number }>(
    'select count(*) filter (where not indisvalid) as invalid from pg_index',
  )
  expect(indexes).toEqual([{ invalid: 0 }])
})
