import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import { firstIdAt } from '#kernel/partitions'
import { pruneCalls } from '../../src/models/maintenance-tasks.ts'
import { createUsage } from '../../src/models/usage/usage.ts'
import { openCallAccounting, someRecord } from './models-accounting.ts'
import { createCallAccountingDatabase } from './models-accounting-database.ts'
import { dayMs, maintain, rowsByPartition } from './partitions-setting.ts'

const rowsOf = (database: Database) => rowsByPartition(database, 'model_calls')

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)

/** A call that started at a time, with the id it would have got. */
function recordAt(startedAt: Date) {
  const id = firstIdAt(startedAt).slice(0, 13) + randomUUIDv7().slice(13)
  return someRecord({ id, startedAt })
}

/** The end of the partition that contains a time, of a table whose partitions have whole days. */
function labelAfter(midnight: number, days: number): string {
  return new Date(midnight + days * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
}

test('calls are in the partition of the day on which they started', async () => {
  await using database = await createCallAccountingDatabase()
  await using callAccounting = openCallAccounting(database)
  await maintain(database, { table: 'calls', days: 15 })
  const midnight = Math.floor(Date.now() / dayMs) * dayMs
  const inDays = (days: number) => `model_calls_to_${labelAfter(midnight, days)}`
  expect(await rowsOf(database)).toEqual({ model_calls_default: 0, [inDays(2)]: 0 })
  const [before, tomorrow, later] = [daysAgo(400), new Date(midnight + dayMs), new Date(midnight + 2 * dayMs)]
  const calls = [before, tomorrow, later].map(recordAt)
  for (const call of calls) await callAccounting.usage.record({ call })
  // Recorded again, as after a broken connection.
  for (const call of calls) await callAccounting.usage.record({ call })
  expect(await rowsOf(database)).toEqual({ model_calls_default: 1, [inDays(2)]: 2 })

  await maintain(database, { table: 'calls', days: 15 })
  expect(await rowsOf(database)).toEqual({
    model_calls_default: 0,
    [inDays(2)]: 2,
    [inDays(3)]: 1,
  })
  const { calls: listed, total } = await createUsage({ database }).calls({ limit: 5, account: 'ada' })
  expect(listed.map(({ id }) => id)).toEqual(calls.map(({ id }) => id).toReversed())
  expect(total).toBe(3)
})

test('retention drops the days that are over and keeps the calls of the others', async () => {
  await using database = await createCallAccountingDatabase()
  await using callAccounting = openCallAccounting(database)
  const midnight = Math.floor(Date.now() / dayMs) * dayMs
  const at = (days: number) => new Date(midnight - days * dayMs)
  // As if maintenance had run on these days.
  const ends = [40, 31, 30, 29, 20]
  for (const [index, days] of ends.entries()) {
    const name = `model_calls_to_${labelAfter(midnight, -days)}`
    const start = index === 0 ? 'minvalue' : `'${firstIdAt(at(ends[index - 1] ?? 0))}'`
    await database.query(
      `create table ${name} partition of model_calls for values from (${start}) to ('${firstIdAt(at(days))}')`,
    )
  }
  const records = [45, 35, 30.5, 29.5, 25, 3].map((days) => recordAt(at(days)))
  for (const call of records) await callAccounting.usage.record({ call })
  const days = await database.query('select * from model_usage_days order by day')
  await maintain(database, { table: 'calls', days: 30 })
  const partitions = Object.keys(await rowsOf(database))
  expect(partitions).not.toContain(`model_calls_to_${labelAfter(midnight, -31)}`)
  expect(partitions).not.toContain(`model_calls_to_${labelAfter(midnight, -30)}`)
  expect(partitions).toContain(`model_calls_to_${labelAfter(midnight, -29)}`)
  const kept = await database.query<{ id: string }>('select id from model_calls order by id')
  expect(kept.map(({ id }) => id)).toEqual(records.slice(3).map(({ id }) => id))
  expect(await database.query('select * from model_usage_days order by day')).toEqual(days)

  // A call whose partition is gone is stored, and deleted with the next batch.
  const late = recordAt(at(45))
  await callAccounting.usage.record({ call: late })
  expect((await createUsage({ database }).call(late.id, {}))?.call.id).toBe(late.id)
  expect(await pruneCalls(database, { olderThan: daysAgo(32) })).toBe(1)
})
