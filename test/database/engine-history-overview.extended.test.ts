import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionStats } from '../../src/engine/execution/stats.ts'
import { createHistory, type History } from '../../src/engine/history/history.ts'
import type { Timeframe } from '../../src/engine/history/period.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { addEnded, createHistoryDatabase, someFacts } from './engine-history-setting.ts'

const now = new Date('2026-03-31T12:34:56Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const lengths: Readonly<Record<Timeframe, number>> = {
  '1h': hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
}

const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

const flowIds = ['reviews', 'summaries', 'translations']

function historyAt(database: TestDatabase): History {
  return createHistory({ database, findModel: async () => undefined, now: () => now })
}

/** Executions over sixty days, more of them recently, some concurrent. */
function manyFacts(count: number): ExecutionStats[] {
  return Array.from({ length: count }, (_, index) => {
    const ageMs = (60 * dayMs * (index + 1) ** 4) / (count + 1) ** 4
    const status = (['completed', 'completed', 'failed', 'cancelled'] as const)[index % 4] ?? 'completed'
    return someFacts({
      finishedAt: new Date(now.getTime() - Math.floor(ageMs)),
      flow_id: flowIds[index % flowIds.length] ?? '',
      account_id: randomUUID(),
      status,
      error_code: status === 'failed' ? 'EXECUTION_FAILED' : null,
      duration_ms: 1000 + (index % 50) * 700,
      spent: index * 3,
    })
  })
}

/** The peak concurrency, computed at every start, where it can grow. */
function maxConcurrent(all: readonly ExecutionStats[], from: Date): number {
  const spans = all
    .map((facts) => [Date.parse(facts.started_at ?? ''), Date.parse(facts.finished_at)] as const)
    .filter(([, end]) => end >= from.getTime())
    .map(([begin, end]) => [Math.max(begin, from.getTime()), end] as const)
  return Math.max(0, ...spans.map(([at]) => spans.filter(([begin, end]) => begin <= at && end > at).length))
}

describe('an overview', () => {
  const facts = manyFacts(340)
  let database: TestDatabase
  let history: History

  beforeAll(async () => {
    database = await createHistoryDatabase()
    history = historyAt(database)
    await addEnded(database, facts)
  })

  afterAll(() => database?.[Symbol.asyncDispose]())

  test.each(['1h', '24h', '7d', '30d'] as const)(
    'of %s equals the sum of its executions',
    async (timeframe) => {
      const overview = await history.overview({ timeframe, flows: 'all' })
      const { from } = overview.period
      const inside = facts.filter((it) => Date.parse(it.finished_at) >= from.getTime())
      expect(now.getTime() - from.getTime()).toBeGreaterThanOrEqual(lengths[timeframe])
      expect(overview.total.executions).toBe(inside.length)
      expect(overview.tokens).toBe(inside.length * 180)
      expect([...overview.flows.values()].reduce((sum, it) => sum + it.spent, 0)).toBe(overview.total.spent)
      expect(overview.total.spent).toBe(inside.reduce((sum, it) => sum + it.spent, 0))
      expect(overview.peak).toBe(maxConcurrent(facts, from))
      const before = facts.filter((it) => {
        const at = Date.parse(it.finished_at)
        return at < from.getTime() && at >= from.getTime() - lengths[timeframe]
      })
      expect(overview.totalBefore.executions).toBe(before.length)
    },
  )

  test.each(['1h', '24h', '7d', '30d'] as const)(
    'of %s by hour and day adds up to the whole',
    async (timeframe) => {
      const overview = await history.overview({ timeframe, flows: 'all' })
      for (const [spans, lengthMs] of [
        [overview.hours, hourMs],
        [overview.days, dayMs],
      ] as const) {
        expect(spans.reduce((sum, span) => sum + span.executions, 0)).toBe(overview.total.executions)
        expect(spans.reduce((sum, span) => sum + span.duration_ms, 0)).toBe(overview.total.duration_ms)
        for (const [index, { at, executions }] of spans.entries()) {
          expect(at.getTime() % lengthMs).toBe(0)
          expect(at.getTime()).toBe((spans[0]?.at.getTime() ?? 0) + index * lengthMs)
          const begin = Math.max(at.getTime(), overview.period.from.getTime())
          const inside = facts.filter(({ finished_at: end }) => {
            const ms = Date.parse(end)
            return ms >= begin && ms < at.getTime() + lengthMs
          })
          expect(executions).toBe(inside.length)
        }
      }
    },
  )

  test('of selected flows includes only these', async () => {
    const some = ['reviews', 'translations']
    const overview = await history.overview({ timeframe: '7d', flows: some })
    const inside = facts.filter(
      ({ flow_id, finished_at }) =>
        some.includes(flow_id) && Date.parse(finished_at) >= overview.period.from.getTime(),
    )
    expect(overview.total.executions).toBe(inside.length)
    expect([...overview.flows.keys()].toSorted()).toEqual(some)
    expect(overview.hours.reduce((sum, hour) => sum + hour.spent, 0)).toBe(overview.total.spent)
    expect(overview.peak).toBe(
      maxConcurrent(
        facts.filter(({ flow_id }) => some.includes(flow_id)),
        overview.period.from,
      ),
    )
  })
})

describe('the peak concurrency', () => {
  test('counts an end before a start of the same moment, and executions started before the range', async () => {
    await using database = await createHistoryDatabase()
    await addEnded(database, [
      someFacts({ finishedAt: minutesAgo(30), duration_ms: 10 * 60_000 }),
      someFacts({ finishedAt: minutesAgo(20), duration_ms: 10 * 60_000 }),
      someFacts({ finishedAt: minutesAgo(25), duration_ms: 3 * hourMs }),
      someFacts({ finishedAt: minutesAgo(10), duration_ms: 0 }),
    ])
    const { peak } = await historyAt(database).overview({ timeframe: '1h', flows: 'all' })
    expect(peak).toBe(2)
  })

  test('includes running executions, and one of zero duration', async () => {
    await using database = await createHistoryDatabase()
    const [id] = await addEnded(database, [
      someFacts({ finishedAt: new Date(now.getTime() - 1000), duration_ms: 0 }),
    ])
    const overview = () => historyAt(database).overview({ timeframe: '1h', flows: 'all' })
    expect((await overview()).peak).toBe(1)
    const [row] = await database.query<{ worker: string }>('select gen_random_uuid() as worker')
    await database.query(
      `
        insert into engine_executions (id, flow_id, flow_version, account_id, status, input, started_at, work_state, work_worker)
        select gen_random_uuid(), 'flow_1', 1, account_id, 'running', '{}', $2::timestamptz - interval '1 minute', 'running', $1
        from engine_executions
        cross join generate_series(1, 2)
        where id = $3
      `,
      [row?.worker, now, id],
    )
    expect((await overview()).peak).toBe(3)
  })

  test('is unknown once executions of the range are deleted', async () => {
    await using database = await createHistoryDatabase()
    const [first] = await addEnded(database, [
      someFacts({ finishedAt: new Date(now.getTime() - 50 * 60_000) }),
      someFacts({ finishedAt: new Date(now.getTime() - 1000) }),
    ])
    const history = historyAt(database)
    expect((await history.overview({ timeframe: '1h', flows: 'all' })).peak).toBe(1)
    await database.query('delete from engine_executions where id = $1', [first])
    const overview = await history.overview({ timeframe: '1h', flows: 'all' })
    expect(overview.total.executions).toBe(2)
    expect(overview.peak).toBeNull()
  })

  test('is unknown above the maximum number of executions', async () => {
    await using database = await createHistoryDatabase()
    const some = Array.from({ length: 301 }, (_, index) => someFacts({ finishedAt: minutesAgo(index) }))
    await addEnded(database, some)
    const history = historyAt(database)
    const peakOf = async (timeframe: Timeframe) => (await history.overview({ timeframe, flows: 'all' })).peak
    expect(await peakOf('24h')).toBe(1)
    expect(await peakOf('7d')).toBeNull()
    const more = Array.from({ length: 700 }, (_, index) => someFacts({ finishedAt: minutesAgo(index) }))
    await addEnded(database, more)
    expect(await peakOf('24h')).toBeNull()
    expect(await peakOf('1h')).toBe(2)
  })
})
