import { expect, test } from 'vitest'
import { readUsage } from '../../src/status/interface-usage/routes.ts'
import type { Submission } from '../../src/status/interface-usage/submission.ts'
import { createRecordUsage, createUsagePruneTask } from '../../src/status/interface-usage/usage-store.ts'
import { createTestDatabase } from '../support/test-database.ts'

const submission = (more: Partial<Submission> = {}): Submission => ({
  occurredAt: new Date(),
  receivedAt: new Date(),
  event: 'click',
  component: 'menu',
  theme: 'corporate',
  version: '1.0.0',
  browser: 'firefox',
  userAgent: 'Firefox/145.0',
  more: {},
  ...more,
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

const rowsOf = async (database: { query<Row>(text: string): Promise<Row[]> }, table: string) => {
  const [row] = await database.query<{ count: number }>(`select count(*) as count from ${table}`)
  return row?.count ?? 0
}

test('a sender of ever new names cannot grow the tables without bound, and known names still count', async () => {
  await using database = await createTestDatabase()
  const record = createRecordUsage(database, { combinationsPerDay: 20, keptPerDay: 10 })
  await record(submission())
  const names = Array.from({ length: 100 }, (_, at) => `name ${at}`)
  await Promise.all(names.map((event) => record(submission({ event }))))
  await Promise.all(names.map((component) => record(submission({ component }))))
  await Promise.all(names.map((version) => record(submission({ version, theme: version }))))
  await record(submission())

  // Twenty by name, one each for the events among them, and one for those that are not.
  expect(await rowsOf(database, 'status_usage')).toBeLessThanOrEqual(20 + 20 + 1)
  expect(await rowsOf(database, 'status_usage_recent')).toBe(10)
  const { total, events, components } = await readUsage(database, { days: 1, now: new Date() })
  expect(total).toBe(302)
  expect(events.reduce((sum, { count }) => sum + count, 0)).toBe(302)
  expect(events.find(({ name }) => name === 'click')?.count).toBe(202)
  expect(events.at(-1)).toEqual({ name: 'other', count: 81 })
  expect(components.find(({ name }) => name === 'menu')?.count).toBe(21)
})

test('replicas that count concurrently lose nothing and keep the bound', async () => {
  await using database = await createTestDatabase()
  const bounds = { combinationsPerDay: 30, keptPerDay: 25 }
  const replicas = [createRecordUsage(database, bounds), createRecordUsage(database, bounds)] as const
  const days = [new Date(), new Date(Date.now() - 86_400_000)]
  await Promise.all(
    Array.from({ length: 400 }, (_, at) =>
      replicas[at % 2 === 0 ? 0 : 1](
        submission({ component: `part ${at % 50}`, occurredAt: days[at % 3 === 0 ? 1 : 0] ?? new Date() }),
      ),
    ),
  )
  const perDay = await database.query<{ rows: number; sum: number; combinations: number; kept: number }>(`
    select count(*) as rows, sum(count)::bigint as sum, combinations, kept
    from status_usage join status_usage_days using (day)
    group by day, combinations, kept
  `)
  expect(perDay.reduce((sum, day) => sum + day.sum, 0)).toBe(400)
  for (const { rows, combinations, kept } of perDay) {
    expect([rows <= 31, combinations]).toEqual([true, 30])
    expect([0, 25]).toContain(kept)
  }
  expect(perDay.reduce((sum, day) => sum + day.kept, 0)).toBe(25)
})

test('timestamps of many days store no more submissions than the daily limit', async () => {
  await using database = await createTestDatabase()
  const bounds = { combinationsPerDay: 20, keptPerDay: 25 }
  const replicas = [createRecordUsage(database, bounds), createRecordUsage(database, bounds)] as const
  await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      replicas[at % 2 === 0 ? 0 : 1](submission({ occurredAt: daysAgo((at * 7) % 100) })),
    ),
  )
  expect(await rowsOf(database, 'status_usage_recent')).toBe(25)
  expect(await rowsOf(database, 'status_usage_days')).toBe(100)
  expect((await readUsage(database, { days: 120, now: new Date() })).total).toBe(200)
})

test('long lists end with the sum of the rest', async () => {
  await using database = await createTestDatabase()
  const record = createRecordUsage(database)
  await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      record(submission({ component: `part ${String(at).padStart(2, '0')}` })),
    ),
  )
  await record(submission({ component: 'part 59' }))
  const { components } = await readUsage(database, { days: 1, now: new Date() })
  expect(components).toHaveLength(51)
  expect(components[0]).toEqual({ name: 'part 59', count: 2 })
  expect(components.at(-1)).toEqual({ name: 'other', count: 10 })
})

test('submissions expire after a week, counts after 400 days', async () => {
  await using database = await createTestDatabase()
  const record = createRecordUsage(database)
  const old = new Date(Date.now() - 401 * 86_400_000)
  for (const at of [new Date(), old]) await record(submission({ occurredAt: at, receivedAt: at }))
  await database.query(
    `update status_usage_recent set received_at = now() - interval '8 days' where occurred_at < now() - interval '1 day'`,
  )
  await createUsagePruneTask(database).run(new AbortController().signal)
  expect([
    await rowsOf(database, 'status_usage_days'),
    await rowsOf(database, 'status_usage'),
    await rowsOf(database, 'status_usage_recent'),
  ]).toEqual([1, 1, 1])
})
