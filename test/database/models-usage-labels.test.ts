import { describe, expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import { settleLostReservations } from '../../src/models/budgets/lost-reservations.ts'
import { maxTagsPerDay, otherTags } from '../../src/models/usage/roll-up.ts'
import { createUsage } from '../../src/models/usage/usage.ts'
import { connectAgain, openCallAccounting, someCall, someRecord } from './models-accounting.ts'
import { createCallAccountingDatabase } from './models-accounting-database.ts'

const startedAt = new Date('2026-03-01T12:00:00Z')
const march = { from: '2026-03-01', to: '2026-03-31' }

const calls = [
  someRecord({ startedAt, microDollars: 10, keyId: 'k1', tags: ['nightly', 'report'] }),
  someRecord({ startedAt, microDollars: 20, keyId: 'k1', tags: ['nightly'], model: 'gpt-4o' }),
  someRecord({ startedAt, microDollars: 30, keyId: 'k2', accountId: 'grace' }),
  someRecord({ startedAt, microDollars: 40 }),
]

const tagged = (tags: readonly string[], accountId = 'ada') => someRecord({ startedAt, accountId, tags })

async function record(database: Database, records = calls): Promise<void> {
  await using callAccounting = openCallAccounting(database)
  await Promise.all(records.map((call) => callAccounting.usage.record({ call })))
}

describe('usage by key and tag', () => {
  test.each([
    [
      { groupBy: ['key'] },
      [
        { key: 'k1', calls: 2, micro_dollars: 30 },
        { key: 'k2', calls: 1 },
      ],
      4,
    ],
    [
      { groupBy: ['tag'] },
      [
        { tag: 'nightly', calls: 2, micro_dollars: 30 },
        { tag: 'report', calls: 1, micro_dollars: 10 },
      ],
      4,
    ],
    [
      { groupBy: ['model'], key: 'k1' },
      [
        { model: 'gpt-4o', calls: 1 },
        { model: 'gpt-4o-mini', calls: 1 },
      ],
      2,
    ],
    [{ groupBy: ['provider'], tag: 'nightly' }, [{ provider: 'openai', calls: 2 }], 2],
    [{ groupBy: ['day', 'tag'], tag: 'report' }, [{ day: '2026-03-01', tag: 'report', calls: 1 }], 1],
    [{ groupBy: ['key'], account: 'grace' }, [{ key: 'k2', calls: 1 }], 1],
    [{ groupBy: [], tag: 'unknown' }, [], 0],
  ] as const)('is added up: %j', async (query, rows, total) => {
    await using database = await createCallAccountingDatabase()
    await record(database)
    const report = await createUsage({ database }).totals({ ...march, ...query })
    expect(report.rows).toMatchObject(rows)
    expect(report.rows).toHaveLength(rows.length)
    expect(report.totals.calls).toBe(total)
  })

  test('filters the list of calls', async () => {
    await using database = await createCallAccountingDatabase()
    await record(database)
    const usage = createUsage({ database })
    const costs = async (filter: object) =>
      (await usage.calls({ limit: 10, ...filter })).calls
        .map(({ microDollars }) => Number(microDollars))
        .toSorted((one, other) => one - other)
    expect(await costs({ key: 'k1' })).toEqual([10, 20])
    expect(await costs({ tag: 'report' })).toEqual([10])
    expect(await costs({ key: 'k2', tag: 'report' })).toEqual([])
  })

  test('has a bounded number of tags for each account and day; the others are added up', async () => {
    await using database = await createCallAccountingDatabase()
    const tags = Array.from({ length: maxTagsPerDay }, (_, index) => `tag ${index}`)
    await record(
      database,
      tags.map((tag) => tagged([tag])),
    )
    await record(database, [tagged(['new', 'newer', 'tag 7']), tagged(['newest'])])
    await record(database, [tagged(['new'], 'grace')])
    const { rows } = await createUsage({ database }).totals({ ...march, account: 'ada', groupBy: ['tag'] })
    expect(rows).toHaveLength(maxTagsPerDay + 1)
    expect(rows.find(({ tag }) => tag === otherTags)).toMatchObject({ calls: 2 })
    expect(rows.find(({ tag }) => tag === 'tag 7')).toMatchObject({ calls: 2 })
    const grace = await createUsage({ database }).totals({ ...march, account: 'grace', groupBy: ['tag'] })
    expect(grace.rows).toMatchObject([{ tag: 'new', calls: 1 }])
  })

  test('includes lost calls, and subtracts one that was not lost', async () => {
    await using database = await createCallAccountingDatabase()
    await using callAccounting = openCallAccounting(database)
    const budget = callAccounting.budget.of({
      accountId: 'ada',
      microDollarsPerDay: 1000,
      key: { id: 'k1' },
    })
    const about = someCall({ tags: ['nightly'] })
    const reservation = await budget.reserve(600, about)
    await settleLostReservations(database, new Date(Date.now() + 86_400_000))
    const read = () =>
      database.query(
        `select kind, label, calls, failures, micro_dollars from model_usage_labels order by kind`,
      )
    expect(await read()).toEqual([
      { kind: 'key', label: 'k1', calls: 1, failures: 1, micro_dollars: 600 },
      { kind: 'tag', label: 'nightly', calls: 1, failures: 1, micro_dollars: 600 },
    ])
    const call = someRecord({ id: about.callId, microDollars: 45, keyId: 'k1', tags: ['nightly'] })
    await callAccounting.usage.record({ call, settlement: await reservation.settle(45) })
    expect(await read()).toEqual([
      { kind: 'key', label: 'k1', calls: 1, failures: 0, micro_dollars: 45 },
      { kind: 'tag', label: 'nightly', calls: 1, failures: 0, micro_dollars: 45 },
    ])
  })

  test('is recorded by two replicas at once without a deadlock', async () => {
    await using database = await createCallAccountingDatabase()
    await using elsewhere = await connectAgain(database.url)
    await using here = openCallAccounting(database)
    await using there = openCallAccounting(elsewhere)
    await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        (index % 2 ? here : there).usage.record({
          call: someRecord({ startedAt, keyId: `k${index % 7}`, tags: [`a${index % 5}`, `b${index % 11}`] }),
        }),
      ),
    )
    const { rows } = await createUsage({ database }).totals({ ...march, groupBy: ['tag'] })
    expect(rows.reduce((sum, row) => sum + row.calls, 0)).toBe(800)
  })
})
