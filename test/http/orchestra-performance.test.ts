import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'

let server: OrchestraServer

beforeAll(async () => {
  server = await startOrchestraServer()
})

afterAll(() => server[Symbol.asyncDispose]())

const performance = async (query = '', on = server) =>
  (await on.call(`/metrics/performance${query}`, { as: 'mara' })).body

const parts = async (query: string) => Object.keys((await performance(query)).metrics)

/** Records a response. */
const answered = (status: number, ms: number, on = server) =>
  on.metricsHistory.recordResponse({ interfaceName: 'workflows', status, ms, left: false, streamed: false })

describe('performance', () => {
  test('has every field, from measurements', async () => {
    await eventually(async () => {
      const { response_times, throughput, resource_utilization } = (await performance()).metrics
      return ![response_times.p50, throughput.capacity_utilization, resource_utilization.cpu_usage].includes(
        null,
      )
    })
    const body = await performance()
    expect(Object.keys(body)).toEqual([
      'metrics',
      'trends',
      'timeseries',
      'predictions',
      'recommendations',
      'timeframe',
      'granularity',
      'generated_at',
    ])
    const { response_times: times, throughput, error_rates, resource_utilization } = body.metrics
    expect(Object.keys(times)).toEqual(['avg', 'p50', 'p95', 'p99', 'max'])
    expect(times.p50).toBeGreaterThan(0)
    expect(times.p95).toBeGreaterThanOrEqual(times.p50)
    expect(times.p99).toBeGreaterThanOrEqual(times.p95)
    expect(times.max).toBeGreaterThanOrEqual(times.p99)
    expect(times.avg).toBeLessThanOrEqual(times.max)
    expect(throughput).toEqual({
      requests_per_minute: expect.any(Number),
      workflows_per_hour: 0,
      peak_concurrent: 0,
      capacity_utilization: 0,
    })
    expect(error_rates).toEqual({
      total_error_rate: 0,
      timeout_rate: 0,
      provider_error_rate: 0,
      system_error_rate: 0,
    })
    expect(resource_utilization.cpu_usage).toBeGreaterThanOrEqual(0)
    expect(resource_utilization.memory_usage).toBeGreaterThan(0)
    expect(Object.keys(resource_utilization)).toEqual(['cpu_usage', 'memory_usage', 'disk_io', 'network_io'])
    expect(body.trends).toEqual({
      response_time_trend: null,
      throughput_trend: null,
      error_rate_trend: null,
      resource_trend: null,
    })
    expect(body.predictions).toEqual({
      method: expect.any(String),
      based_on_hours: expect.any(Number),
      next_hour: { expected_load: null, predicted_response_time: null, confidence: null },
      capacity_warnings: [],
    })
    expect(body).toMatchObject({ timeframe: '24h', granularity: 'hour', recommendations: expect.any(Array) })
    expect(Math.abs(body.generated_at - Date.now() / 1000)).toBeLessThan(60)
  })

  test('changes with every request, also with refused ones, which are no server errors', async () => {
    await using fresh = await startOrchestraServer()
    const counted = async () => (await fresh.metricsHistory.read(lastHour())).requests
    for (let times = 0; times < 6; times += 1) await fresh.call('/live-status')
    expect((await fresh.call('/metrics/performance?timeframe=2h', { as: 'mara' })).status).toBe(400)
    await eventually(async () => (await counted()).count === 7)
    expect((await counted()).kinds).toMatchObject({ answered: 6, refused: 1, failed: 0 })
    const body = await performance('?timeframe=1h', fresh)
    expect(body.metrics.throughput.requests_per_minute).toBe(Math.round((7 / 60) * 100) / 100)
    expect(body.metrics.error_rates.total_error_rate).toBe(0)
    const busy = body.timeseries.filter(({ throughput }: { throughput: number }) => throughput > 0)
    expect(busy.length).toBeGreaterThan(0)
    expect(busy[0]).toEqual({
      timestamp: expect.stringMatching(/:00\.000Z$/),
      response_time: expect.any(Number),
      throughput: expect.any(Number),
      error_rate: 0,
      cpu_usage: busy[0].cpu_usage,
    })
    // The machine is sampled periodically, which may be in the next minute.
    await eventually(async () => {
      const { timeseries } = await performance('?timeframe=1h', fresh)
      return timeseries.some(({ cpu_usage }: { cpu_usage: unknown }) => typeof cpu_usage === 'number')
    })
  })

  test('groups errors and proposes remedies', async () => {
    await using fresh = await startOrchestraServer()
    for (let times = 0; times < 90; times += 1) answered(200, 20, fresh)
    for (const status of [502, 502, 502, 502, 502, 502, 504, 500, 503, 500]) answered(status, 3000, fresh)
    const { metrics, recommendations } = await performance('?timeframe=1h', fresh)
    expect(metrics.error_rates).toEqual({
      total_error_rate: 10,
      timeout_rate: 1,
      provider_error_rate: 6,
      system_error_rate: 3,
    })
    expect(recommendations.map(({ type, priority }: Recommendation) => [type, priority])).toEqual(
      expect.arrayContaining([
        ['providers', 'high'],
        ['errors', 'medium'],
        ['timeouts', 'medium'],
        ['response_time', 'medium'],
      ]),
    )
    expect(recommendations[0]).toEqual({
      type: expect.any(String),
      priority: 'high',
      description: expect.any(String),
      estimated_benefit: expect.any(String),
    })
  })

  test('returns only the requested parts, repeated or with commas', async () => {
    expect(await parts('?metrics=throughput')).toEqual(['throughput'])
    expect(await parts('?metrics[]=throughput')).toEqual(['throughput'])
    expect(await parts('?metrics=throughput,error_rates')).toEqual(['throughput', 'error_rates'])
    expect(await parts('?metrics=error_rates&metrics=response_times')).toEqual([
      'response_times',
      'error_rates',
    ])
  })

  test.each([
    ['1h', 'minute', 61],
    ['1h', 'hour', 2],
    ['24h', 'minute', 1441],
    ['24h', 'day', 2],
    ['7d', 'day', 8],
    ['7d', 'hour', 169],
    ['30d', 'day', 31],
  ])('of %s by the %s has a point for each', async (timeframe, granularity, most) => {
    const { timeseries } = await performance(`?timeframe=${timeframe}&granularity=${granularity}`)
    expect([most - 1, most]).toContain(timeseries.length)
    const times = timeseries.map(({ timestamp }: { timestamp: string }) => timestamp)
    expect(times).toEqual(times.toSorted())
  })

  test('makes no predictions when they are disabled', async () => {
    expect((await performance('?include_predictions=false')).predictions).toBeNull()
  })

  test('requires the permission for analytics', async () => {
    const { status, body } = await server.call('/metrics/performance', { as: 'nora' })
    expect(status).toBe(403)
    expect(body.error.code).toBe('PERMISSION_DENIED')
    expect((await server.call('/metrics/performance', { as: 'vera' })).status).toBe(200)
  })
})

describe('performance with history', () => {
  test('is compared with the previous period, forecast, and has warnings', async () => {
    await using fresh = await startOrchestraServer()
    // Four weeks with habits: busy by day, quiet by night, and processors that follow.
    await fresh.database.query(`
      insert into kernel_vitals (grain, at, name, count, sum, max)
      select grain, at, name, count, count * value, value
      from
        unnest(array['hour', 'day']) as grain,
        lateral (
          select date_trunc(grain, now()) - (step || ' ' || grain)::interval as at
          from generate_series(1, case grain when 'hour' then 28 * 24 else 61 end) as step
        ) as times,
        lateral (
          select case when grain = 'day' or extract(hour from at at time zone 'utc') between 8 and 19 then 1 else 0 end as busy
        ) as habit,
        lateral (
          values
            ('requests', 600 + 5400 * busy, 50 + 50 * busy),
            ('requests.answered', 600 + 5400 * busy, 1),
            ('cpu_percent', 720, 20 + 77 * busy),
            ('memory_percent', 720, 40),
            ('load', 720, 1)
        ) as measured (name, count, value)
      on conflict (grain, at, name) do nothing
    `)
    const body = await performance('?timeframe=7d', fresh)
    const hourNow = new Date(body.generated_at * 1000).getUTCHours()
    const busyNow = hourNow >= 8 && hourNow <= 19
    expect(body.predictions.based_on_hours).toBeGreaterThan(27 * 24)
    const { next_hour, capacity_warnings } = body.predictions
    expect(Math.round(next_hour.expected_load)).toBe(busyNow ? 100 : 10)
    expect(next_hour.predicted_response_time).toBeCloseTo(busyNow ? 0.1 : 0.05, 2)
    expect(next_hour.confidence).toBeGreaterThan(0.95)
    expect(capacity_warnings).toEqual([
      {
        metric: 'cpu_usage',
        predicted_peak: expect.stringMatching(/T(0[89]|1\d):00:00\.000Z$/),
        expected_value: expect.any(Number),
        threshold: 80,
        risk_level: 'high',
      },
    ])
    expect(capacity_warnings[0].expected_value).toBeCloseTo(97, 0)
    for (const trend of [
      body.trends.response_time_trend,
      body.trends.throughput_trend,
      body.trends.resource_trend,
    ]) {
      expect(trend).toMatch(/^[+-]\d+(\.\d)?%$/)
    }
    expect(body.trends.error_rate_trend).toBeNull()
  })
})

interface Recommendation {
  readonly type: string
  readonly priority: string
}

function lastHour() {
  const now = Date.now()
  return { from: new Date(now - 3_600_000), to: new Date(now + 60_000), grain: 'minute' } as const
}
