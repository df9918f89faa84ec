import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RecordedResponse } from '#kernel/metrics-history'
import { eventually } from '../support/eventually.ts'
import { startProcess } from '../support/process.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { lastHour, openMetricsHistory } from './metrics-history-setting.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.close())

beforeEach(async () => {
  await database.query('truncate kernel_vitals, kernel_vitals_processes')
})

const answer = (more: Partial<RecordedResponse> = {}): RecordedResponse => ({
  interfaceName: 'workflows',
  status: 200,
  ms: 10,
  left: false,
  streamed: false,
  ...more,
})

test('responses are counted by outcome, and only completed ones are timed', async () => {
  await using metricsHistory = openMetricsHistory(database)
  for (const status of [200, 201, 404, 500, 502, 503, 504]) metricsHistory.recordResponse(answer({ status }))
  metricsHistory.recordResponse(answer({ left: true, ms: 9999 }))
  metricsHistory.recordResponse(answer({ streamed: true, ms: 99_999 }))
  const { requests } = await metricsHistory.read(lastHour())
  expect(requests).toEqual({
    count: 9,
    kinds: { answered: 3, refused: 1, left: 1, timed_out: 1, provider_failed: 1, failed: 2 },
    errors: 4,
    timed: 7,
    totalMs: 70,
    averageMs: 10,
    maxMs: 10,
  })
})

test('a reading during a flush has what that flush is storing', async () => {
  await using metricsHistory = openMetricsHistory(database, [], { flushEveryMs: 60_000 })
  let readings: Promise<{ readonly requests: { readonly count: number } }>[] = []
  await database.withSession(async (session) => {
    await session.query('begin; lock table kernel_vitals in exclusive mode')
    metricsHistory.recordResponse(answer())
    readings = [metricsHistory.read(lastHour())]
    await eventually(async () => {
      const waiting = await database.query(`
        select from pg_locks
        where not granted and relation = 'kernel_vitals'::regclass
          and database = (select oid from pg_database where datname = current_database())
      `)
      return waiting.length === 1
    })
    metricsHistory.recordResponse(answer())
    readings.push(metricsHistory.read(lastHour()), metricsHistory.read(lastHour()))
    // Time for a reading that does not wait for the flush.
    await Promise.race([...readings, metricsHistory.now()])
    await session.query('commit')
  })
  const counts = (await Promise.all(readings)).map(({ requests }) => requests.count)
  expect(counts[0]).toBeGreaterThanOrEqual(1)
  expect(counts.slice(1)).toEqual([2, 2])
})

test('processes are aggregated, percentiles included', async () => {
  await using one = openMetricsHistory(database)
  for (let times = 0; times < 190; times += 1)
    one.recordResponse(answer({ ms: 10, interfaceName: 'orchestra' }))
  const others = await Promise.all([startAnswering(), startAnswering()])
  for (const other of others) expect(await other.exit).toEqual({ code: 0, signal: null })
  const reading = await one.read(lastHour())
  expect(reading.requests).toMatchObject({ count: 210, maxMs: 1000, averageMs: (190 * 10 + 20 * 1000) / 210 })
  expect(reading.interfaces).toEqual([
    { name: 'orchestra', count: 190, averageMs: 10 },
    { name: 'workflows', count: 20, averageMs: 1000 },
  ])
  expect(Math.abs((reading.durationAt(0.5) ?? 0) / 10 - 1)).toBeLessThan(0.2)
  expect(Math.abs((reading.durationAt(0.95) ?? 0) / 1000 - 1)).toBeLessThan(0.2)
})

function startAnswering() {
  return startProcess({
    file: new URL('metrics-history-process.ts', import.meta.url),
    env: { DATABASE_URL: database.url },
  })
}

test('gauges are stored with their average and their peak', async () => {
  const running = [1, 5, 3]
  await using metricsHistory = openMetricsHistory(database, [
    async () => ({ running_executions: running.shift() ?? null, nothing: null }),
  ])
  await eventually(async () => running.length === 0)
  const reading = await metricsHistory.read(lastHour())
  expect(reading.peak('running_executions')).toBe(5)
  expect(reading.average('running_executions')).toBe(3)
  expect([reading.peak('nothing'), reading.average('nothing')]).toEqual([null, null])
})

test('the machine is sampled, and each process is visible to the others until it leaves', async () => {
  await using one = openMetricsHistory(database)
  const other = openMetricsHistory(database)
  await eventually(async () => (await one.now()).processes.length === 2)
  const { process: own, processes } = await one.now()
  expect(own).toMatchObject({ pid: process.pid, host: expect.any(String) })
  for (const { sample } of processes) {
    expect(sample.memoryPercent).toBeGreaterThan(0)
    expect(sample.diskPercent).toBeGreaterThan(0)
    expect(sample.processRssBytes).toBeGreaterThan(0)
  }
  await other.close()
  expect((await one.now()).processes).toHaveLength(1)
  await eventually(async () => (await one.read(lastHour())).average('cpu_percent') !== null)
})

test('a series has every minute, with or without measurements', async () => {
  await using metricsHistory = openMetricsHistory(database)
  metricsHistory.recordResponse(answer({ ms: 30 }))
  const points = await metricsHistory.series({ ...lastHour(), gauges: ['cpu_percent'] })
  expect(points.length).toBeGreaterThanOrEqual(61)
  const busy = points.filter(({ requests }) => requests.count > 0)
  expect(busy).toHaveLength(1)
  expect(busy[0]?.requests).toMatchObject({ averageMs: 30, timed: 1 })
  expect(points[0]?.requests).toMatchObject({ count: 0, averageMs: null })
  expect(points[0]?.average('cpu_percent')).toBeNull()
})

test('minutes, hours and days are stored at once, and a range is read from the fitting one', async () => {
  await using metricsHistory = openMetricsHistory(database)
  metricsHistory.recordResponse(answer())
  await metricsHistory.read(lastHour())
  const rows = await database.query<{ grain: string; count: number }>(
    `select grain, count from kernel_vitals where name = 'requests' order by grain`,
  )
  expect(rows).toEqual([
    { grain: 'day', count: 1 },
    { grain: 'hour', count: 1 },
    { grain: 'minute', count: 1 },
  ])
  const to = new Date(Date.now() + 60_000)
  for (const [days, grain] of [
    [1, 'minute'],
    [7, 'hour'],
    [30, 'day'],
  ] as const) {
    const from = new Date(to.getTime() - days * 86_400_000)
    expect((await metricsHistory.read({ from, to, grain })).requests.count).toBe(1)
  }
})

test('measurements during an outage of the database are stored when it is back', async () => {
  await using metricsHistory = openMetricsHistory(database, [], { flushEveryMs: 3_600_000 })
  metricsHistory.recordResponse(answer())
  await database.query('alter table kernel_vitals rename to away')
  await expect(metricsHistory.read(lastHour())).rejects.toThrow('kernel_vitals')
  metricsHistory.recordResponse(answer({ status: 500 }))
  await database.query('alter table away rename to kernel_vitals')
  expect((await metricsHistory.read(lastHour())).requests).toMatchObject({ count: 2, timed: 2, errors: 1 })
})

test('closing stores the last measurements', async () => {
  const metricsHistory = openMetricsHistory(database, [], { flushEveryMs: 3_600_000 })
  metricsHistory.recordResponse(answer())
  await metricsHistory.close()
  const [row] = await database.query<{ count: number }>(
    `select count from kernel_vitals where name = 'requests' and grain = 'day'`,
  )
  expect(row?.count).toBe(1)
})

test('expired measurements are deleted, by minute, hour and day', async () => {
  await database.query(`
    insert into kernel_vitals (grain, at, name, count, sum, max)
    values
      ('minute', now() - interval '49 hours', 'load', 1, 1, 1), ('minute', now() - interval '51 hours', 'load', 1, 1, 1),
      ('hour', now() - interval '89 days', 'load', 1, 1, 1), ('hour', now() - interval '91 days', 'load', 1, 1, 1),
      ('day', now() - interval '729 days', 'load', 1, 1, 1), ('day', now() - interval '731 days', 'load', 1, 1, 1)
  `)
  await using metricsHistory = openMetricsHistory(database, [], { flushEveryMs: 3_600_000 })
  await metricsHistory.cleanUp.run(AbortSignal.timeout(40_000))
  const rows = await database.query<{ grain: string; count: number }>(
    'select grain, count(*) as count from kernel_vitals group by grain order by grain',
  )
  expect(rows).toEqual([
    { grain: 'day', count: 1 },
    { grain: 'hour', count: 1 },
    { grain: 'minute', count: 1 },
  ])
})
