import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionStats } from '../../src/engine/execution/stats.ts'
import { overviewPeriod } from '../../src/engine/history/buckets.ts'
import { createHistory, type History } from '../../src/engine/history/history.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { addEnded, createHistoryDatabase, someFacts, someStep } from './engine-history-setting.ts'

const now = new Date('2026-03-31T12:34:56Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const nora = randomUUID()
const flowIds = ['reviews', 'summaries', 'translations']
const shown = { callerId: null, shows: 'all' } as const

/** Executions over seventy days, more of them recently; every third belongs to one account. */
function manyFacts(count: number): readonly ExecutionStats[] {
  return Array.from({ length: count }, (_, index) => {
    const ageMs = (70 * dayMs * (index + 1) ** 4) / (count + 1) ** 4
    const status = (['completed', 'completed', 'failed', 'cancelled'] as const)[index % 4] ?? 'completed'
    return someFacts({
      finishedAt: new Date(now.getTime() - Math.floor(ageMs)),
      flow_id: flowIds[index % 5 === 0 ? 0 : index % flowIds.length] ?? '',
      account_id: index % 3 === 0 ? nora : randomUUID(),
      status,
      error_code: status === 'failed' ? (index % 8 === 2 ? 'TIMEOUT' : 'EXECUTION_FAILED') : null,
      duration_ms: 1000 + (index % 50) * 700,
      spent: index * 3,
      steps: [someStep({ attempts: 1 + (index % 2), input_tokens: index, output_tokens: 2 })],
    })
  })
}

const sumOf = (facts: readonly ExecutionStats[], of: (it: ExecutionStats) => number) =>
  facts.reduce((sum, it) => sum + of(it), 0)
const countOf = (facts: readonly ExecutionStats[], status: string) =>
  facts.filter((it) => it.status === status).length

describe('the page of the overview', () => {
  const facts = manyFacts(400)
  let database: TestDatabase
  let history: History

  beforeAll(async () => {
    database = await createHistoryDatabase()
    history = createHistory({ database, findModel: async () => undefined, now: () => now })
    for (const id of flowIds) {
      await database.query('insert into engine_flows (id, current_version) values ($1, 1)', [id])
      await database.query(
        'insert into engine_flow_versions (flow_id, version, definition) values ($1, 1, $2)',
        [id, JSON.stringify({ id, label: `The ${id}`, steps: [] })],
      )
    }
    await addEnded(database, facts)
    await database.query(
      `update engine_executions set error = json_build_object('code', facts ->> 'error_code', 'message', 'It failed.')
       where status = 'failed'`,
    )
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  test.each([
    ['24h', undefined],
    ['7d', undefined],
    ['30d', undefined],
    ['24h', nora],
    ['7d', nora],
    ['30d', nora],
  ] as const)('of %s for account %s equals the sum of its executions', async (timeframe, accountId) => {
    const page = await history.page({ timeframe, accountId, ...shown })
    const { from, beforeFrom } = overviewPeriod(timeframe, now)
    const all = facts.filter((it) => accountId === undefined || it.account_id === accountId)
    const inside = all.filter((it) => Date.parse(it.finished_at) >= from.getTime())
    const before = all.filter((it) => {
      const at = Date.parse(it.finished_at)
      return at < from.getTime() && at >= beforeFrom.getTime()
    })
    expect(inside.length).toBeGreaterThan(10)
    expect(page.total).toEqual({
      executions: inside.length,
      completed: countOf(inside, 'completed'),
      failed: countOf(inside, 'failed'),
      cancelled: countOf(inside, 'cancelled'),
      spent: sumOf(inside, (it) => it.spent),
      inputTokens: sumOf(inside, (it) => it.steps[0]?.input_tokens ?? 0),
      outputTokens: inside.length * 2,
    })
    expect(page.totalBefore).toMatchObject({
      executions: before.length,
      failed: countOf(before, 'failed'),
      spent: sumOf(before, (it) => it.spent),
      outputTokens: before.length * 2,
    })
    expect(page.retries).toBe(sumOf(inside, (it) => (it.steps[0]?.attempts ?? 1) - 1))
    expect(page.buckets.reduce((sum, it) => sum + it.executions, 0)).toBe(inside.length)
    expect(page.bucketsBefore.reduce((sum, it) => sum + it.executions, 0)).toBe(before.length)
    expect(page.buckets).toHaveLength({ '24h': 96, '7d': 168, '30d': 30 }[timeframe])
    expect(page.bucketsBefore[0]?.at).toEqual(beforeFrom)

    const groups = Map.groupBy(
      inside.filter((it) => it.status === 'failed'),
      (it) => `${it.flow_id} ${it.error_code}`,
    )
    const counted = page.failures.map((it) => [`${it.flowId} ${it.errorCode}`, it.executions])
    expect(new Map(counted as [string, number][])).toEqual(
      new Map([...groups].map(([key, group]) => [key, group.length])),
    )
    expect(page.failures.map(({ executions }) => executions)).toEqual(
      page.failures.map(({ executions }) => executions).toSorted((one, other) => other - one),
    )
    const failedOf = (id: string) =>
      countOf(
        inside.filter((it) => it.flow_id === id),
        'failed',
      )
    expect(new Map(page.failing.map(({ flowId, failed }) => [flowId, failed]))).toEqual(
      new Map(flowIds.filter((id) => failedOf(id) > 0).map((id) => [id, failedOf(id)])),
    )
    expect(page.detailsFrom).toEqual(from)
  })

  test('ranks flows by their p95, and names them', async () => {
    const { slowest, labels } = await history.page({ timeframe: '30d', accountId: undefined, ...shown })
    const durations = slowest.map(({ p95Ms }) => p95Ms ?? 0)
    expect(slowest).toHaveLength(3)
    expect(durations).toEqual(durations.toSorted((one, other) => other - one))
    expect(labels.get('reviews')).toBe('The reviews')
  })

  test('names the last execution of a failure only to those who may see it', async () => {
    const page = (shows: 'all' | 'none' | { accountId: string }) =>
      history.page({ timeframe: '24h', accountId: undefined, callerId: nora, shows })
    const [all, none, own] = [await page('all'), await page('none'), await page({ accountId: nora })]
    expect(all.failures[0]?.last).toMatchObject({ message: 'It failed.' })
    expect(none.failures.map(({ last }) => last)).toEqual(none.failures.map(() => null))
    expect([all.recent.length, none.recent.length]).toEqual([10, 0])
    expect(new Set(own.recent.map(({ accountId }) => accountId))).toEqual(new Set([nora]))
    const ids = own.failures.flatMap(({ last }) => (last === null ? [] : [last.id]))
    const owners = await database.query<{ account_id: string }>(
      'select account_id from engine_executions where id = any ($1)',
      [ids],
    )
    expect(ids.length).toBeGreaterThan(0)
    expect(owners.every(({ account_id }) => account_id === nora)).toBe(true)
    expect(all.hasRun).toBe(true)
  })

  test('of an account with very many executions says from when on its details are', async () => {
    const busy = randomUUID()
    const many = Array.from({ length: 1005 }, (_, index) =>
      someFacts({ finishedAt: new Date(now.getTime() - (1005 - index) * 1000), account_id: busy }),
    )
    await addEnded(database, many)
    const page = await history.page({ timeframe: '24h', accountId: busy, ...shown })
    expect(page.total.executions).toBe(1005)
    expect(page.total.outputTokens).toBe(1000 * 60)
    expect(page.detailsFrom.getTime()).toBeGreaterThan(now.getTime() - 1010 * 1000)
  })

  test('of an account without executions is empty', async () => {
    const page = await history.page({
      timeframe: '7d',
      accountId: randomUUID(),
      callerId: randomUUID(),
      shows: { accountId: randomUUID() },
    })
    expect(page.total).toMatchObject({ executions: 0, spent: 0, inputTokens: 0 })
    expect([page.p95Ms, page.slowest, page.failures, page.recent, page.hasRun]).toEqual([
      null,
      [],
      [],
      [],
      false,
    ])
  })
})
