import { describe, expect, test } from 'vitest'
import { createMetrics, type Metrics } from './metrics.ts'
import { convertMetrics, packRequests } from './otlp-metric-format.ts'

const startedAt = Date.UTC(2026, 0, 1)
const now = startedAt + 60_000
const startTimeUnixNano = `${startedAt}000000`
const timeUnixNano = `${now}000000`

async function writeRequests(metrics: Metrics, maxRequestBytes = 1024 * 1024) {
  const families = await metrics.registry.getMetricsAsJSON()
  const converted = convertMetrics(families, { conventions: metrics.conventions, startedAt, now })
  const resource = { 'service.name': 'tutti' }
  return [...packRequests(converted, { resource, version: '1.2.3', maxRequestBytes })]
}

function readMetrics(body: Buffer) {
  return JSON.parse(body.toString()).resourceMetrics[0].scopeMetrics[0].metrics
}

async function convert(metrics: Metrics) {
  const bodies = await writeRequests(metrics)
  return bodies.flatMap(readMetrics)
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

describe('metrics in OTLP', () => {
  test('counters are cumulative monotonic sums', async () => {
    using metrics = createMetrics({ watchProcess: false })
    const counter = metrics.counter({ name: 'busy_seconds_total', help: 'Busy.', labels: ['kind', 'error'] })
    counter.inc({ kind: 'a', error: '' }, 2.5)
    expect(await convert(metrics)).toEqual([
      {
        name: 'tutti_busy_seconds_total',
        description: 'Busy.',
        unit: 's',
        sum: {
          aggregationTemporality: 2,
          isMonotonic: true,
          // An empty label is no attribute.
          dataPoints: [{ attributes: [text('kind', 'a')], startTimeUnixNano, timeUnixNano, asDouble: 2.5 }],
        },
      },
    ])
  })

  test('gauges have their current values, without those that are not finite', async () => {
    using metrics = createMetrics({ watchProcess: false })
    const gauge = metrics.gauge({ name: 'cache_bytes', help: 'Cache.', labels: ['part'] })
    gauge.set({ part: 'a' }, 7)
    gauge.set({ part: 'b' }, Number.NaN)
    expect(await convert(metrics)).toEqual([
      {
        name: 'tutti_cache_bytes',
        description: 'Cache.',
        unit: 'By',
        gauge: { dataPoints: [{ attributes: [text('part', 'a')], timeUnixNano, asDouble: 7 }] },
      },
    ])
  })

  test('histograms have explicit bounds and the count of each bucket', async () => {
    using metrics = createMetrics({ watchProcess: false })
    const histogram = metrics.histogram({
      name: 'wait_seconds',
      help: 'Waits.',
      labels: ['kind'],
      buckets: [1, 2, 4],
    })
    for (const value of [0.5, 1, 3, 9, 10]) histogram.observe({ kind: 'a' }, value)
    histogram.observe({ kind: 'b' }, 2)
    const [converted] = await convert(metrics)
    expect(converted).toMatchObject({ name: 'tutti_wait_seconds', unit: 's' })
    const common = { startTimeUnixNano, timeUnixNano, explicitBounds: [1, 2, 4] }
    expect(converted.histogram).toEqual({
      aggregationTemporality: 2,
      dataPoints: [
        {
          ...common,
          attributes: [text('kind', 'a')],
          count: '5',
          sum: 23.5,
          bucketCounts: ['2', '0', '1', '2'],
        },
        {
          ...common,
          attributes: [text('kind', 'b')],
          count: '1',
          sum: 2,
          bucketCounts: ['0', '1', '0', '0'],
        },
      ],
    })
  })

  test('metrics of a convention have its names and unit, and keep their Prometheus names', async () => {
    using metrics = createMetrics({ watchProcess: false })
    const histogram = metrics.histogram({
      name: 'gen_ai_client_token_usage',
      help: 'Tokens.',
      labels: ['gen_ai_token_type'],
      buckets: [1],
      convention: {
        name: 'gen_ai.client.token.usage',
        unit: '{token}',
        attributes: { gen_ai_token_type: 'gen_ai.token.type' },
      },
    })
    histogram.observe({ gen_ai_token_type: 'input' }, 3)
    const [converted] = await convert(metrics)
    expect(converted).toMatchObject({ name: 'gen_ai.client.token.usage', unit: '{token}' })
    expect(converted.histogram.dataPoints[0].attributes).toEqual([text('gen_ai.token.type', 'input')])
    expect(await metrics.render()).toContain('gen_ai_client_token_usage_sum{gen_ai_token_type="input"} 3')
  })

  test('requests name the resource and the scope; without values there is none', async () => {
    using metrics = createMetrics({ watchProcess: false })
    expect(await writeRequests(metrics)).toEqual([])
    metrics.gauge({ name: 'open', help: 'Open.' }).set(1)
    const [body] = await writeRequests(metrics)
    const [{ resource, scopeMetrics }] = JSON.parse(String(body)).resourceMetrics
    expect(resource).toEqual({ attributes: [text('service.name', 'tutti')] })
    expect(scopeMetrics[0].scope).toEqual({ name: 'tutti', version: '1.2.3' })
  })

  test('requests stay below their size, with every data point in one of them', async () => {
    using metrics = createMetrics({ watchProcess: false })
    const counter = metrics.counter({ name: 'things_total', help: 'Things.', labels: ['kind'] })
    for (let index = 0; index < 200; index += 1) counter.inc({ kind: `ключ ${index}` }, index + 1)
    metrics.gauge({ name: 'open', help: 'Open.' }).set(1)
    const bodies = await writeRequests(metrics, 4096)
    expect(bodies.length).toBeGreaterThan(5)
    for (const body of bodies) expect(body.length).toBeLessThanOrEqual(4096)
    const sums = bodies.flatMap(readMetrics).filter(({ name }) => name === 'tutti_things_total')
    const values = sums.flatMap(({ sum }) =>
      sum.dataPoints.map(({ asDouble }: { asDouble: number }) => asDouble),
    )
    expect(values).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  })
})
