import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionStats, StepStats } from '../../src/engine/execution/stats.ts'
import type { Analytics as Schema } from '../../src/workflows/routes/analytics/schemas.ts'
import { addEnded, someFacts, someStep } from '../database/engine-history-setting.ts'
import { patience } from '../support/patience.ts'
import { type AnalyticsServer, startAnalyticsServer } from './workflows-analytics-server.ts'
import { startWorkflowsServer } from './workflows-server.ts'
import { createObedientSteps } from './workflows-steps.ts'

type Analytics = Static<typeof Schema>

const now = new Date('2026-03-31T12:34:56Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs

async function read(server: AnalyticsServer, query = ''): Promise<Analytics> {
  const answer = await server.get(query)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Analytics
}

async function saveFlows(server: AnalyticsServer, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await server.database.query('insert into engine_flows (id, current_version) values ($1, 1)', [id])
    await server.database.query(
      'insert into engine_flow_versions (flow_id, version, definition) values ($1, 1, $2)',
      [id, JSON.stringify({ id, label: `The ${id}`, steps: [] })],
    )
  }
}

/** A seeded random number generator. */
function createChance(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return {
    upTo: (most: number) => Math.floor(next() * most),
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
  }
}

const accounts = Array.from({ length: 6 }, () => randomUUID())
const flowIds = ['summaries', 'reviews', 'seo', 'moderation']

/** Executions of all kinds, most of them recent, each at a different time. */
function manyFacts(count: number): ExecutionStats[] {
  const { upTo, pick } = createChance(7)
  const steps = (): StepStats[] => [
    someStep({
      id: pick(['write', 'check']),
      state: pick(['completed', 'completed', 'failed']),
      count: pick([1, 1, 3]),
      ms: 1 + upTo(20_000),
      attempts: 3 + upTo(3),
      provider: pick(['openai', 'ollama']),
      model: pick(['small', 'large']),
      input_tokens: upTo(5000),
      output_tokens: upTo(900),
      spent: upTo(3000),
      ai_calls: 1 + upTo(3),
      cache_hits: upTo(2),
      ai_ms: upTo(9000) + 0.5,
      quality_sum: upTo(100),
      quality_count: 1,
    }),
    { id: 'look', type: 'conditional', state: pick(['completed', 'skipped']), count: 1, ms: 1, attempts: 1 },
    ...(upTo(2) === 0
      ? [
          {
            id: 'call',
            type: 'external_api',
            state: 'completed' as const,
            count: 1,
            ms: upTo(4000),
            attempts: 1,
            network_requests: 1,
            api_ms: upTo(4000),
            confidence_sum: 0.7,
            confidence_count: 1,
          },
        ]
      : []),
  ]
  return Array.from({ length: count }, (_, index) => {
    const ageMs = (60 * dayMs * (index + 1) ** 4) / (count + 1) ** 4
    const status = pick(['completed', 'completed', 'completed', 'failed', 'cancelled'] as const)
    return someFacts({
      finishedAt: new Date(now.getTime() - Math.floor(ageMs)),
      flow_id: pick(flowIds),
      account_id: pick(accounts),
      status,
      error_code: status === 'failed' ? pick(['EXECUTION_TIMEOUT', 'PROVIDER_UNAVAILABLE']) : null,
      duration_ms: 1 + upTo(30_000),
      queued_ms: status === 'cancelled' ? null : upTo(2000),
      spent: upTo(9000),
      unpriced: upTo(10) === 0,
      decisions: upTo(2),
      items: pick([0, 0, 0, 5]),
      steps: steps(),
    })
  })
}

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((sum, item) => sum + of(item), 0)
const percent = (part: number, whole: number) => (whole === 0 ? null : (part / whole) * 100)

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

function expectNear(found: number | null | undefined, truth: number, factor: number): void {
  expect((found ?? Number.NaN) / truth).toBeGreaterThan(1 / factor)
  expect((found ?? Number.NaN) / truth).toBeLessThan(factor)
}

/** The expected numbers, computed from the executions. */
function recount(raw: readonly ExecutionStats[]) {
  const of = (status: string) => raw.filter((facts) => facts.status === status)
  const completed = of('completed')
  const steps = raw.flatMap((facts) => facts.steps)
  return {
    raw,
    steps,
    completed,
    failed: of('failed'),
    cancelled: of('cancelled'),
    spent: sumOf(raw, ({ spent }) => spent),
    successRate: percent(completed.length, completed.length + of('failed').length),
    averageSeconds: sumOf(completed, ({ duration_ms }) => duration_ms ?? 0) / completed.length / 1000,
  }
}

describe('the statistics', () => {
  let server: AnalyticsServer

  beforeAll(async () => {
    server = await startAnalyticsServer(now)
    await saveFlows(server, flowIds)
    await addEnded(server.database, manyFacts(900))
  })

  afterAll(() => server?.[Symbol.asyncDispose]())

  test.each([
    ['1h', hourMs],
    ['24h', dayMs],
    ['7d', 7 * dayMs],
    ['30d', 30 * dayMs],
  ])('of %s equal those of the executions', async (timeframe, lengthMs) => {
    const body = await read(server, `?timeframe=${timeframe}`)
    const { period } = body.analytics_summary
    const from = period.from * 1000
    expect(now.getTime() - from).toBeGreaterThanOrEqual(lengthMs)
    expect(now.getTime() - from).toBeLessThan(lengthMs + (lengthMs > dayMs ? hourMs : 60_000))

    const rows = await server.database.query<{ facts: ExecutionStats }>('select facts from engine_executions')
    const between = (start: number, end: number) =>
      rows
        .map(({ facts }) => facts)
        .filter(({ finished_at }) => {
          const at = Date.parse(finished_at)
          return at >= start && at < end
        })
    const all = recount(between(from, Number.POSITIVE_INFINITY))
    const before = recount(between(from - lengthMs, from))
    expect(all.raw.length).toBeGreaterThan(20)
    expect(before.raw.length).toBeGreaterThan(10)

    const summary = body.analytics_summary
    expect(summary).toMatchObject({
      total_executions: all.raw.length,
      completed_executions: all.completed.length,
      failed_executions: all.failed.length,
      cancelled_executions: all.cancelled.length,
      total_cost: all.spent / 1e6,
      unpriced_executions: all.raw.filter(({ unpriced }) => unpriced).length,
      total_tokens: sumOf(all.steps, (step) => (step.input_tokens ?? 0) + (step.output_tokens ?? 0)),
      total_ai_calls: sumOf(all.steps, ({ ai_calls = 0 }) => ai_calls),
      agent_decisions: sumOf(all.raw, ({ decisions }) => decisions),
      batch_executions: all.raw.filter(({ items }) => items > 0).length,
      batch_items: sumOf(all.raw, ({ items }) => items),
      unique_flows: new Set(all.raw.map(({ flow_id }) => flow_id)).size,
      active_users: new Set(all.raw.map(({ account_id }) => account_id)).size,
    })
    expect(summary.success_rate).toBeCloseTo(all.successRate ?? Number.NaN, 1)
    expect(summary.average_duration).toBeCloseTo(all.averageSeconds, 2)
    const seconds = all.completed.map(({ duration_ms }) => (duration_ms ?? 0) / 1000)
    expectNear(summary.median_duration, quantile(seconds, 0.5), 1.5)
    expectNear(summary.p95_duration, quantile(seconds, 0.95), 1.5)
    const begun = all.raw.filter(({ queued_ms }) => queued_ms !== null)
    expect(summary.average_queue_time).toBeCloseTo(
      sumOf(begun, (it) => it.queued_ms ?? 0) / begun.length / 1000,
      2,
    )

    for (const id of flowIds) {
      const own = recount(all.raw.filter(({ flow_id }) => flow_id === id))
      if (own.raw.length === 0) continue
      expect(body.flow_performance[id]).toMatchObject({
        label: `The ${id}`,
        executions: own.raw.length,
        completed: own.completed.length,
        total_cost: own.spent / 1e6,
        tokens_used: sumOf(own.steps, (step) => (step.input_tokens ?? 0) + (step.output_tokens ?? 0)),
      })
      const earlier = before.raw.filter(({ flow_id }) => flow_id === id).length
      expect(body.flow_performance[id]?.trend).toBeCloseTo(((own.raw.length - earlier) / earlier) * 100, 1)
    }

    for (const [type, analysis] of Object.entries(body.step_type_analysis)) {
      const steps = all.steps.filter((step) => step.type === type)
      const counted = (state: string) =>
        sumOf(
          steps.filter((step) => step.state === state),
          ({ count }) => count,
        )
      expect(analysis).toMatchObject({
        completed: counted('completed'),
        failed: counted('failed'),
        skipped: counted('skipped'),
        total_cost: sumOf(steps, ({ spent = 0 }) => spent) / 1e6,
        network_requests: sumOf(steps, ({ network_requests = 0 }) => network_requests),
      })
    }
    expect(Object.keys(body.step_type_analysis).sort()).toEqual(
      [...new Set(all.steps.map(({ type }) => type))].sort(),
    )

    for (const [provider, analysis] of Object.entries(body.provider_analysis)) {
      const steps = all.steps.filter((step) => step.provider === provider)
      const calls = sumOf(steps, ({ ai_calls = 0 }) => ai_calls)
      expect(analysis).toMatchObject({
        steps: sumOf(steps, ({ count }) => count),
        calls,
        input_tokens: sumOf(steps, ({ input_tokens = 0 }) => input_tokens),
        total_cost: sumOf(steps, ({ spent = 0 }) => spent) / 1e6,
      })
      expect(analysis.average_response_time).toBeCloseTo(
        sumOf(steps, ({ ai_ms = 0 }) => ai_ms) / calls / 1000,
        2,
      )
      expect(sumOf(Object.values(analysis.models), (model) => model.calls)).toBe(calls)
    }
    expect(Object.keys(body.provider_analysis).sort()).toEqual(['ollama', 'openai'])

    const [busiest] = body.user_behavior_insights.most_active_users
    const ofAccount = (account: string) => all.raw.filter(({ account_id }) => account_id === account)
    expect(busiest?.executions).toBe(Math.max(...accounts.map((account) => ofAccount(account).length)))
    expect(sumOf(body.user_behavior_insights.most_active_users, (user) => user.executions)).toBe(
      all.raw.length,
    )

    expect(body.cost_analysis).toMatchObject({
      total_cost: all.spent / 1e6,
      previous_cost: before.spent / 1e6,
      cost_without_result: (all.spent - sumOf(all.completed, ({ spent }) => spent)) / 1e6,
    })
    expect(body.benchmark_comparisons.previous_period.executions).toMatchObject({
      current: all.raw.length,
      previous: before.raw.length,
    })
    const causes = Object.fromEntries(
      body.quality_metrics.failure_causes.map((it) => [it.code, it.executions]),
    )
    expect(causes).toEqual(
      Object.fromEntries(
        [...new Set(all.failed.map(({ error_code }) => error_code ?? ''))].map((code) => [
          code,
          all.failed.filter(({ error_code }) => error_code === code).length,
        ]),
      ),
    )
    const scored = all.steps.filter(({ quality_count }) => quality_count !== undefined)
    expect(body.quality_metrics.average_quality_score).toBeCloseTo(
      sumOf(scored, ({ quality_sum = 0 }) => quality_sum) / scored.length,
      1,
    )
  })

  test('are null or empty without executions', async () => {
    await using idle = await startAnalyticsServer(now)
    const body = await read(idle)
    expect(body.analytics_summary).toMatchObject({
      timeframe: '24h',
      total_executions: 0,
      success_rate: null,
      average_duration: null,
      median_duration: null,
      average_queue_time: null,
      cache_hit_rate: null,
      total_cost: 0,
      breakdown: [],
    })
    expect(body).toMatchObject({
      flow_performance: {},
      step_type_analysis: {},
      provider_analysis: {},
      predictions: null,
      alert_recommendations: [],
    })
    expect(body.cost_analysis).toMatchObject({
      projected_monthly_cost: null,
      cost_change: null,
      cost_breakdown: [],
    })
    expect(body.user_behavior_insights).toMatchObject({
      active_users: 0,
      executions_per_user: null,
      peak_hours: [],
    })
    expect(body.benchmark_comparisons.installation_median).toEqual({
      flows: 0,
      success_rate: null,
      average_duration: null,
      average_cost: null,
    })
  })
})

describe('the query', () => {
  let server: AnalyticsServer
  const all = manyFacts(200)

  beforeAll(async () => {
    server = await startAnalyticsServer(now)
    await saveFlows(server, flowIds)
    await addEnded(server.database, all)
  })

  afterAll(() => server?.[Symbol.asyncDispose]())

  test.each([
    '?flow_ids=seo&flow_ids=reviews',
    '?flow_ids=seo,reviews',
    '?flow_ids[]=seo&flow_ids[]=reviews',
    '?flow_ids=seo,%20reviews&flow_ids=seo',
  ])('selects flows: %s', async (query) => {
    const body = await read(server, `${query}&timeframe=30d`)
    const from = body.analytics_summary.period.from * 1000
    const own = all.filter(
      ({ flow_id, finished_at }) => ['seo', 'reviews'].includes(flow_id) && Date.parse(finished_at) >= from,
    )
    expect(body.analytics_summary).toMatchObject({
      total_executions: own.length,
      total_cost: sumOf(own, ({ spent }) => spent) / 1e6,
      active_users: new Set(own.map(({ account_id }) => account_id)).size,
      unique_flows: 2,
    })
    expect(Object.keys(body.flow_performance).sort()).toEqual(['reviews', 'seo'])
    const steps = own.flatMap((facts) => facts.steps)
    expect(body.step_type_analysis['external_api']?.completed).toBe(
      steps.filter(({ type }) => type === 'external_api').length,
    )
    expect(sumOf(Object.values(body.provider_analysis), ({ calls }) => calls)).toBe(
      sumOf(steps, ({ ai_calls = 0 }) => ai_calls),
    )
    expect(sumOf(body.quality_metrics.failure_causes, ({ executions }) => executions)).toBe(
      own.filter(({ status }) => status === 'failed').length,
    )
    // A flow is compared with all flows, not only with the selected ones.
    expect(body.benchmark_comparisons.installation_median.flows).toBe(4)
    expect(body.benchmark_comparisons.flows.map(({ flow_id }) => flow_id).sort()).toEqual(['reviews', 'seo'])
  })

  async function groups(query: string) {
    const { analytics_summary: summary, cost_analysis: costs } = await read(server, `?timeframe=30d&${query}`)
    return {
      by: summary.group_by,
      keys: summary.breakdown.map(({ key }) => key).sort(),
      costs: costs.cost_breakdown?.map(({ key }) => key).sort() ?? null,
      share: Math.round(sumOf(summary.breakdown, ({ cost_share }) => cost_share ?? 0)),
    }
  }

  test('selects groups, and their cost', async () => {
    const flows = flowIds.toSorted()
    const types = ['ai_prompt', 'conditional', 'external_api']
    expect(await groups('')).toEqual({ by: 'flow', keys: flows, costs: flows, share: 100 })
    expect(await groups('group_by=step_type')).toEqual({
      by: 'step_type',
      keys: types,
      costs: types,
      share: 100,
    })
    expect(await groups('group_by=provider&include_cost_breakdown=false')).toEqual({
      by: 'provider',
      keys: ['ollama', 'openai'],
      costs: null,
      share: 100,
    })
  })

  test('selects predictions, from the habits of the days before', async () => {
    await using daily = await startAnalyticsServer(now)
    await saveFlows(daily, ['daily'])
    // Ten at noon, each day for ten days, and one an hour all the time.
    const hours = Array.from({ length: 240 }, (_, index) => new Date(now.getTime() - (index + 1) * hourMs))
    const some = hours.flatMap((at) =>
      Array.from({ length: at.getUTCHours() === 12 ? 11 : 1 }, () =>
        someFacts({ finishedAt: at, flow_id: 'daily' }),
      ),
    )
    await addEnded(daily.database, some)
    const { predictions } = await read(daily, '?timeframe=1h')
    expect(predictions).toMatchObject({ season_hours: 24, horizon_hours: 24, based_on_hours: 240 })
    expectNear(predictions?.expected_executions, 34, 1.05)
    expectNear(predictions?.expected_cost, 34 * 0.0005, 1.05)
    expect(new Date((predictions?.peak.at ?? 0) * 1000).getUTCHours()).toBe(12)
    expect(predictions?.hourly).toHaveLength(24)
    expect(predictions?.confidence).toBeGreaterThan(0.95)
    expect((await read(daily, '?include_predictions=false')).predictions).toBeNull()
  })

  test.each([
    ['?timeframe=2h', 'timeframe must be one of 1h, 24h, 7d, 30d'],
    ['?group_by=colour', 'group_by must be one of flow, step_type, provider'],
    ['?include_predictions=perhaps', 'include_predictions must be true or false'],
    ['?include_cost_breakdown=2', 'include_cost_breakdown must be true or false'],
    ['?flow_ids=', 'flow_ids[0] must not be empty'],
    ['?flow_ids=a,,b', 'flow_ids[1] must not be empty'],
    ['?flow_ids=%27%20or%20true', 'flow_ids has "\' or true", which no flow can be called'],
    ['?flow_ids=*', 'flow_ids has "*", which no flow can be called'],
    ['?flow_ids=nowhere', 'flow_ids has "nowhere", and there is no such flow'],
    [
      `?flow_ids=${Array.from({ length: 51 }, (_, index) => `f${index}`).join(',')}`,
      'flow_ids must have at most 50 items',
    ],
    ['?timeframes=1h', 'timeframes is not a known field'],
  ])('is refused when it is invalid: %s', async (query, reason) => {
    const answer = await server.get(query)
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    expect({ status: answer.status, code: error.code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' })
    expect(error.message).toContain(reason)
  })
})

test('they require the permission for analytics', async () => {
  await using server = await startAnalyticsServer(now)
  const answer = await server.get('', ['run workflows', 'manage workflows'])
  expect(answer.status).toBe(403)
  expect(await answer.json()).toMatchObject({ error: { code: 'PERMISSION_DENIED' } })
})

test('a just ended execution is included', async () => {
  await using server = await startAnalyticsServer(now)
  await addEnded(server.database, [someFacts({ finishedAt: now })])
  expect((await read(server)).analytics_summary.total_executions).toBe(1)
  await addEnded(server.database, [someFacts({ finishedAt: now })])
  expect((await read(server, '?timeframe=1h')).analytics_summary.total_executions).toBe(2)
})

test('executions of the engine count, and recovered ones count once', async () => {
  const steps = createObedientSteps()
  await using server = await startWorkflowsServer({ runStep: steps.runStep })
  const pays = await server.save([{ id: 'pay', type: 'ai_prompt', prompt: 'pay 0.25' }])
  const fails = await server.save([
    { id: 'fail', type: 'ai_prompt', prompt: 'fail PROVIDER_UNAVAILABLE' },
    { id: 'after', type: 'ai_prompt', prompt: 'pay 0.5', dependencies: ['fail'] },
  ])
  const uncounted = await server.save([{ id: 'pay', type: 'ai_prompt', prompt: 'pay 0.25' }], {
    flow: { global_configuration: { monitoring: { track_performance_metrics: false } } },
  })
  for (const flow_id of [pays, pays, uncounted]) {
    expect((await server.post('/execute-flow', { flow_id, context: {} }, { as: 'mara' })).status).toBe(200)
  }
  const { body: failed } = await server.post('/execute-flow', { flow_id: fails, context: {} }, { as: 'mara' })
  const analytics = async () => (await server.call('/analytics/flows', { as: 'vera' })).body as Analytics
  const before = await analytics()
  expect(before.analytics_summary).toMatchObject({
    total_executions: 3,
    completed_executions: 2,
    failed_executions: 1,
    total_cost: 0.5,
    active_users: 1,
  })
  expect(before.quality_metrics.failure_causes).toEqual([
    { code: 'PROVIDER_UNAVAILABLE', executions: 1, share: 100 },
  ])
  expect(Object.keys(before.flow_performance).sort()).toEqual([pays, fails].sort())

  const id = failed.error.details.execution_id as string
  await server.post(`/executions/${id}/recover`, { action: 'continue_without_failed_step' }, { as: 'mara' })
  await expect
    .poll(async () => (await server.engine.executions.read(id))?.status, { timeout: 30_000 * patience })
    .toBe('completed')
  const after = await analytics()
  expect(after.analytics_summary).toMatchObject({
    total_executions: 3,
    completed_executions: 3,
    failed_executions: 0,
    total_cost: 1,
  })
  expect(after.quality_metrics.failure_causes).toEqual([])
})
