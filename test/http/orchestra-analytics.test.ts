import { setTimeout } from 'node:timers/promises'
import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentAnalytics } from '../../src/orchestra/analytics/agent-analytics/route.ts'
import type { WorkflowMetrics } from '../../src/orchestra/analytics/workflow-metrics/route.ts'
import { countOpen, moveBack, type Raw, type RawStep, readRaw, runMany } from './orchestra-analytics-runs.ts'
import { startWithModel } from './orchestra-model.ts'
import type { OrchestraServer } from './orchestra-server.ts'

const executions = 450
const dayMs = 86_400_000

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((sum, item) => sum + of(item), 0)
const percent = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
const inDollars = (microDollars: number) => Math.round(microDollars) / 1e6

/** The change against the previous period, as the API formats it. */
function trendOf(current: number, earlier: number): string {
  const change = Math.round(((current - earlier) / earlier) * 1000) / 10
  return `${change < 0 ? '-' : '+'}${Math.abs(change)}%`
}

let scene: Awaited<ReturnType<typeof startWithModel>>
let server: OrchestraServer
let flows: Awaited<ReturnType<typeof runMany>>
let raw: Raw

beforeAll(async () => {
  scene = await startWithModel({ concurrentWorkflows: executions })
  server = scene.server
  flows = await runMany(server, executions)
  while ((await countOpen(server)) > 0) await setTimeout(100)
  await moveBack(server, 180, 30)
  // A request waits five seconds for this at most, and then lacks some.
  while ((await server.engine.history.roll()) > 0);
  raw = await readRaw(server)
})

afterAll(() => scene?.[Symbol.asyncDispose]())

async function metrics(query = ''): Promise<Static<typeof WorkflowMetrics>> {
  const answer = await server.call(`/workflow-metrics${query}`, { as: 'vera' })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

async function analytics(query = ''): Promise<Static<typeof AgentAnalytics>> {
  const answer = await server.call(`/agent-analytics${query}`, { as: 'vera' })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

/** The expected numbers, computed from the executions. */
function recount(some: Raw['executions']) {
  const completed = some.filter(({ status }) => status === 'completed')
  const failed = some.filter(({ status }) => status === 'failed')
  const took = completed.map((it) => it.finished_at.getTime() - it.started_at.getTime())
  return {
    executions: some.length,
    completed: completed.length,
    failed: failed.length,
    successRate: percent(completed.length, completed.length + failed.length),
    averageSeconds: Math.round(sumOf(took, (ms) => ms) / took.length) / 1000,
    speed: (took.length * 1000) / sumOf(took, (ms) => ms),
    medianSeconds: (took.toSorted((one, other) => one - other)[took.length >> 1] ?? Number.NaN) / 1000,
    spent: sumOf(some, ({ spent }) => spent),
  }
}

/** The peak concurrency, computed at every start. */
function maxConcurrent(some: Raw['executions']): number {
  const spans = some.map((it) => [it.started_at.getTime(), it.finished_at.getTime()] as const)
  return Math.max(...spans.map(([at]) => spans.filter(([from, to]) => from <= at && to > at).length))
}

const since = (ms: number) => ({
  executions: raw.executions.filter((it) => it.finished_at.getTime() >= Date.now() - ms),
  steps: raw.steps.filter((it) => it.finished_at.getTime() >= Date.now() - ms),
})

function ofAgent(agent: string, steps: readonly RawStep[] = since(dayMs).steps): readonly RawStep[] {
  return steps.filter((step) => step.agent === agent)
}

describe('workflow metrics', () => {
  test('equal the sums of the executions', async () => {
    const { executions: some } = since(dayMs)
    const truth = recount(some)
    const { metrics: told } = await metrics()
    expect(some).toHaveLength(executions - 180)
    expect(told).toEqual({
      total_executions: truth.executions,
      successful_executions: truth.completed,
      failed_executions: truth.failed,
      cancelled_executions: 0,
      success_rate: truth.successRate,
      average_duration: truth.averageSeconds,
      median_duration: expect.any(Number),
      total_cost: inDollars(truth.spent),
      unpriced_executions: 0,
      tokens_consumed: sumOf(some, ({ tokens }) => tokens),
      unique_workflows: 3,
      peak_concurrent_executions: maxConcurrent(some),
      peak_concurrent_source: 'executions',
    })
    expect(told.tokens_consumed).toBeGreaterThan(0)
    expect(truth.spent).toBeGreaterThan(0)
    expect(truth.failed).toBeGreaterThan(0)
    expect((told.median_duration ?? Number.NaN) / truth.medianSeconds).toBeGreaterThan(0.5)
    expect((told.median_duration ?? Number.NaN) / truth.medianSeconds).toBeLessThan(2)
  })

  test('of a week include all of them, and have no comparison', async () => {
    const { metrics: told, trends, timeframe } = await metrics('?timeframe=7d')
    expect(told.total_executions).toBe(executions)
    expect(told.total_cost).toBe(inDollars(recount(raw.executions).spent))
    expect(timeframe).toBe('7d')
    expect(trends).toEqual({
      execution_trend: null,
      success_rate_trend: null,
      cost_trend: null,
      performance_trend: null,
      trend_period: 'previous 7d',
    })
  })

  test('are compared with the day before', async () => {
    const now = recount(since(dayMs).executions)
    const before = recount(raw.executions.filter((it) => it.finished_at.getTime() < Date.now() - dayMs))
    const { trends } = await metrics()
    expect(trends).toEqual({
      execution_trend: trendOf(now.executions, before.executions),
      success_rate_trend: trendOf(now.successRate ?? 0, before.successRate ?? 0),
      cost_trend: trendOf(now.spent, before.spent),
      performance_trend: trendOf(now.speed, before.speed),
      trend_period: 'previous 24h',
    })
  })

  test('are separate for each workflow', async () => {
    const { by_workflow: told } = await metrics()
    expect(Object.keys(told).toSorted()).toEqual(Object.values(flows).toSorted())
    for (const [id, workflow] of Object.entries(told)) {
      const truth = recount(since(dayMs).executions.filter(({ flow_id }) => flow_id === id))
      expect(workflow).toEqual({
        executions: truth.executions,
        success_rate: truth.successRate,
        avg_duration: truth.averageSeconds,
        cost: inDollars(truth.spent),
        trend: expect.stringMatching(/^[+-]\d+(\.\d)?%$/),
      })
    }
  })

  test('have every hour, each with its ended executions', async () => {
    const { hourly_breakdown: hours, metrics: told } = await metrics()
    expect(hours.length).toBeGreaterThanOrEqual(24)
    expect(sumOf(hours, (hour) => hour.executions)).toBe(told.total_executions)
    for (const { hour, ...rest } of hours) {
      const begin = Date.parse(hour)
      expect(new Date(begin).toISOString()).toBe(hour)
      const inside = since(dayMs).executions.filter(
        ({ finished_at: end }) => end.getTime() >= begin && end.getTime() < begin + 3_600_000,
      )
      const truth = recount(inside)
      expect(rest).toEqual({
        executions: inside.length,
        success_rate: truth.successRate,
        avg_duration: truth.completed === 0 ? null : truth.averageSeconds,
      })
    }
  })

  test('are grouped as requested', async () => {
    const by = async (grouping: string) => (await metrics(`?timeframe=7d&group_by=${grouping}`)).breakdown
    const [flow, hour, day] = [await by('flow'), await by('hour'), await by('day')]
    expect(flow.map(({ key }) => key).toSorted()).toEqual(Object.values(flows).toSorted())
    expect(hour).toHaveLength(7 * 24 + 1)
    expect(day).toHaveLength(8)
    for (const groups of [flow, hour, day]) {
      expect(sumOf(groups, (group) => group.executions)).toBe(executions)
      expect(sumOf(groups, (group) => group.cost_share ?? 0)).toBeCloseTo(100, 0)
    }
    expect(day.every(({ key }) => key.endsWith('T00:00:00.000Z'))).toBe(true)
    expect((await metrics()).group_by).toBe('flow')
  })

  test('of selected workflows include only these, repeated or with commas', async () => {
    const { both, strict } = flows
    const repeated = await metrics(`?flow_ids=${both}&flow_ids=${strict}`)
    const { generated_at: at, ...separated } = await metrics(`?flow_ids=${both},${strict}`)
    const bracketed = await metrics(`?flow_ids[]=${both}&flow_ids[]=${strict}`)
    expect(bracketed).toMatchObject(separated)
    expect({ ...separated, generated_at: at }).toMatchObject({
      metrics: repeated.metrics,
      by_workflow: repeated.by_workflow,
    })
    const some = since(dayMs).executions.filter(({ flow_id }) => flow_id !== flows.plain)
    expect(repeated.metrics).toMatchObject({
      total_executions: some.length,
      unique_workflows: 2,
      peak_concurrent_executions: maxConcurrent(some),
    })
    expect(Object.keys(repeated.by_workflow).toSorted()).toEqual([both, strict].toSorted())
    expect(at).toBeTypeOf('number')
  })

  test('list a workflow that never ran with zeros', async () => {
    const id = await server.save([{ id: 'short', type: 'agent', agent: 'short_reader' }])
    const { by_workflow: told, metrics: all } = await metrics(`?flow_ids=${id}`)
    expect(told).toEqual({
      [id]: { executions: 0, success_rate: null, avg_duration: null, cost: 0, trend: null },
    })
    expect(all).toMatchObject({ total_executions: 0, success_rate: null, peak_concurrent_executions: 0 })
  })

  test('have no trends on request', async () => {
    const { trends, by_workflow: told } = await metrics('?include_trends=false')
    expect(trends).toBeNull()
    expect(Object.values(told).map(({ trend }) => trend)).toEqual([null, null, null])
  })

  test('have sampled values where executions are too many, or deleted', async () => {
    expect((await metrics('?timeframe=30d')).metrics.peak_concurrent_source).toBe('samples')
    const { metrics: told } = await metrics()
    expect(told.peak_concurrent_source).toBe('executions')
    await server.database.query(
      'delete from engine_executions where id = (select id from engine_executions where flow_id = $1 order by id desc limit 1)',
      [flows.plain],
    )
    const { metrics: after } = await metrics()
    expect(after.total_executions).toBe(told.total_executions)
    expect(after.peak_concurrent_source).toBe('samples')
    expect(after.peak_concurrent_executions).toBeGreaterThan(0)
    const some = (await metrics(`?flow_ids=${flows.plain}`)).metrics
    expect(some).toMatchObject({ peak_concurrent_executions: null, peak_concurrent_source: null })
  })
})

describe('agent analytics', () => {
  test('of each agent equal the sums of its steps', async () => {
    const { analytics: told } = await analytics()
    for (const agent of ['paid_reader', 'short_reader']) {
      const steps = ofAgent(agent)
      const completed = steps.filter(({ state }) => state === 'completed')
      const sure = steps.filter(({ confidence }) => confidence !== null)
      expect(steps.length).toBeGreaterThan(50)
      expect(told.performance_metrics[agent]).toEqual({
        avg_time: Math.round(sumOf(completed, ({ ms }) => ms) / completed.length) / 1000,
        success_rate: percent(completed.length, steps.length),
        executions_24h: steps.length,
        error_rate: percent(steps.length - completed.length, steps.length),
        avg_tokens: Math.round((sumOf(steps, ({ tokens }) => tokens) / steps.length) * 1000) / 1000,
        confidence_score:
          Math.round((sumOf(sure, ({ confidence }) => confidence ?? 0) / sure.length) * 1000) / 1000,
      })
    }
    expect(told.performance_metrics['translator']).toEqual({
      avg_time: null,
      success_rate: null,
      executions_24h: 0,
      error_rate: null,
      avg_tokens: null,
      confidence_score: null,
    })
  })

  test('show usage by agent, and by time', async () => {
    const { usage_statistics: told } = (await analytics()).analytics
    const steps = since(dayMs).steps
    expect(told).toEqual({
      most_used_agent: 'short_reader',
      usage_distribution: {
        short_reader: percent(ofAgent('short_reader').length, steps.length),
        paid_reader: percent(ofAgent('paid_reader').length, steps.length),
      },
      peak_usage_hours: expect.any(Array),
      least_used_agent: 'paid_reader',
    })
    const byHour = Map.groupBy(steps, (step) => step.finished_at.getUTCHours())
    const busiest = [...byHour].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0]
    expect(told.peak_usage_hours[0]).toBe(busiest)
  })

  test('show the cost of agents to the micro-dollar', async () => {
    const { cost_analysis: told } = (await analytics()).analytics
    const spent = sumOf(since(dayMs).steps, (step) => step.spent)
    const before = sumOf(raw.steps, (step) => step.spent) - spent
    expect(spent).toBe(ofAgent('paid_reader').filter(({ state }) => state === 'completed').length * 123)
    expect(told).toEqual({
      total_cost_24h: inDollars(spent),
      cost_per_execution: inDollars(spent / since(dayMs).steps.length),
      most_expensive_agent: 'paid_reader',
      cost_breakdown: { paid_reader: inDollars(spent), short_reader: 0 },
      cost_trends: {
        '24h_change': trendOf(spent, before),
        '7d_average': expect.any(Number),
        projected_monthly: expect.any(Number),
        projection_method: 'daily_average',
        projection_confidence: null,
      },
    })
    // There is little more than a day of data.
    const average = told?.cost_trends['7d_average'] ?? Number.NaN
    expect(average).toBeLessThan(inDollars(spent + before))
    expect(average).toBeGreaterThan(inDollars(spent + before) / 2)
    expect(told?.cost_trends.projected_monthly).toBeCloseTo(30 * average, 3)
  })

  test('score each agent by its statistics, and explain the score', async () => {
    const { recommendation_scores: told } = (await analytics()).analytics
    const { scoring_criteria: criteria, ...scores } = told ?? { scoring_criteria: [] }
    expect(criteria.length).toBeGreaterThan(0)
    const byAgent = scores as unknown as Readonly<Record<string, number | null>>
    expect(byAgent['paid_reader']).toBeGreaterThan(0)
    expect(byAgent['paid_reader']).toBeLessThanOrEqual(1)
    expect(byAgent['translator']).toBeNull()
  })

  test('show the workflows of agents, and the reasons of failures', async () => {
    const { execution_patterns: told } = (await analytics()).analytics
    const { both, strict } = flows
    const failed = since(dayMs).executions.filter(({ code }) => code !== null)
    const of = (flowId: string) => since(dayMs).executions.filter(({ flow_id }) => flow_id === flowId).length
    expect(told.common_workflows).toEqual({ [both]: of(both), [strict]: of(strict) })
    expect(Object.keys(told.failure_patterns)).toEqual([failed[0]?.code])
    expect(Object.values(told.failure_patterns)).toEqual([
      { executions: failed.length, share: 100, workflows: [strict] },
    ])
    expect(sumOf(Object.values(told.peak_hours), (runs) => runs)).toBe(raw.steps.length)
    expect(Object.keys(told.peak_hours).every((hour) => /^\d\d:00$/.test(hour))).toBe(true)
    const { weekday_avg: weekday, weekend_avg: weekend, monthly_pattern: months } = told.seasonal_trends
    expect([typeof weekday, typeof weekend]).toContain('number')
    expect(sumOf(Object.values(months), (runs) => runs)).toBe(raw.steps.length)
  })

  test('show their age', async () => {
    const { timestamp } = await analytics()
    expect(Math.abs(Date.now() / 1000 - timestamp)).toBeLessThan(30)
    expect(timestamp).toBe(Math.floor(timestamp))
    // A request that took longer than five seconds gets older sums, which the next one updates.
    await expect
      .poll(() => analytics())
      .toMatchObject({ data_freshness: expect.toSatisfy((age) => age <= 5), cache_status: 'fresh' })
  })

  test('of selected agents include only these', async () => {
    const { analytics: told } = await analytics('?agent_ids=short_reader,translator')
    expect(Object.keys(told.performance_metrics)).toEqual(['short_reader', 'translator'])
    expect(told.usage_statistics.usage_distribution).toEqual({ short_reader: 100 })
    expect(told.cost_analysis?.total_cost_24h).toBe(0)
    expect(sumOf(Object.values(told.execution_patterns.peak_hours), (runs) => runs)).toBe(
      ofAgent('short_reader', raw.steps).length,
    )
  })

  test('omit parts that were not requested', async () => {
    const { analytics: told } = await analytics('?include_costs=false&include_recommendations=false')
    expect(told.cost_analysis).toBeNull()
    expect(told.recommendation_scores).toBeNull()
  })
})

describe('an invalid request', () => {
  test.each([
    ['/workflow-metrics?timeframe=2h', 'timeframe'],
    ['/workflow-metrics?include_trends=perhaps', 'include_trends'],
    ['/workflow-metrics?group_by=agent', 'group_by'],
    ['/workflow-metrics?flow_ids=no_such_flow', 'no_such_flow'],
    ['/workflow-metrics?flow_ids=NO', 'NO'],
    ['/workflow-metrics?flow_ids=', 'flow_ids'],
    [`/workflow-metrics?flow_ids=${Array.from({ length: 51 }, (_, index) => `f${index}`).join()}`, '50'],
    ['/workflow-metrics?unknown=1', 'unknown'],
    ['/agent-analytics?include_costs=2', 'include_costs'],
    ['/agent-analytics?include_recommendations=nein', 'include_recommendations'],
    ['/agent-analytics?agent_ids=short_reader,unknown', 'unknown'],
    ['/agent-analytics?timeframe=24h', 'timeframe'],
  ])('%s gets the error', async (path, named) => {
    const { status, body } = await server.call(path, { as: 'vera' })
    expect(status).toBe(400)
    expect(body.error.code).toBe('VALIDATION_ERROR')
    expect(JSON.stringify(body.error)).toContain(named)
  })

  test.each(['/workflow-metrics', '/agent-analytics'])(
    '%s requires the permission for analytics',
    async (path) => {
      expect((await server.call(path, { as: 'nora' })).status).toBe(403)
      expect((await server.call(path, { as: '' })).status).toBe(401)
      expect((await server.call(path, { as: 'mara' })).status).toBe(200)
    },
  )
})
