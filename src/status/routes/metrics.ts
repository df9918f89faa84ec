import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { Vitals } from '#kernel/vitals'
import type { Models } from '#models'
import { clusterCounters, readTraffic } from '../figures/cluster-counters.ts'
import { readLive } from '../figures/live.ts'
import { cacheFor, watcherAccess } from './answers.ts'
import { LiveMetrics, Series, Speeds, seriesRanges, speedRanges } from './metrics-shapes.ts'

interface MetricsRoutesOptions {
  readonly vitals: Vitals
  readonly models: Pick<Models, 'usage' | 'catalogue'>
}

const [hourMs, dayMs] = [3_600_000, 86_400_000] as const

/** How long each range is, and how fine its points are. */
const seriesOf = {
  '1h': { ms: hourMs, grain: 'minute' },
  '24h': { ms: dayMs, grain: 'hour' },
  '30d': { ms: 30 * dayMs, grain: 'day' },
  '90d': { ms: 90 * dayMs, grain: 'day' },
} as const

const speedMs = { '1h': hourMs, '24h': dayMs, '7d': 7 * dayMs } as const

const cacheSeconds = 60

/** What goes on: now, over time, and by model. */
export function addMetricsRoutes(routes: HttpServer, { vitals, models }: MetricsRoutesOptions): void {
  routes.get(
    '/admin/llm/metrics/live',
    {
      config: { access: watcherAccess },
      schema: {
        operationId: 'readLiveMetrics',
        summary: 'What goes on',
        response: { 200: LiveMetrics },
      },
    },
    async (_request, reply) => {
      const figures = await readLive({ vitals, models })
      return cacheFor(reply, cacheSeconds).send({ ...figures, timestamp: new Date().toISOString() })
    },
  )

  routes.get(
    '/admin/llm/metrics/series',
    {
      config: { access: watcherAccess },
      schema: {
        operationId: 'readMetricsSeries',
        summary: 'Requests and tokens over time',
        querystring: Type.Object(
          { range: Type.Optional(Type.Enum([...seriesRanges], { default: '24h' })) },
          { additionalProperties: false },
        ),
        response: { 200: Series },
      },
    },
    async (request, reply) => {
      const { range = '24h' } = request.query
      const { ms, grain } = seriesOf[range]
      const to = new Date()
      // The point under way is one of them.
      const length = { minute: 60_000, hour: hourMs, day: dayMs }[grain]
      const period = { from: new Date(to.getTime() - ms + length), to, grain }
      const gauges = Object.values(clusterCounters)
      const [requests, usage] = await Promise.all([
        vitals.series({ ...period, gauges }),
        models.usage.series(period),
      ])
      const used = new Map(usage.map((point) => [point.at.getTime(), point]))
      return cacheFor(reply, cacheSeconds).send({
        range,
        grain,
        points: requests.map((point) => {
          const { at, requests: answered } = point
          const tokens = used.get(at.getTime())
          const passed = readTraffic(point)
          return {
            at: at.toISOString(),
            requests: answered.count + passed.requests,
            errors: answered.errors,
            average_ms: rounded(answered.averageMs),
            max_ms: rounded(answered.maxMs),
            calls: (tokens?.calls ?? 0) + passed.requests,
            input_tokens: (tokens?.inputTokens ?? 0) + passed.prompt_tokens,
            output_tokens: (tokens?.outputTokens ?? 0) + passed.completion_tokens,
          }
        }),
        timestamp: to.toISOString(),
      })
    },
  )

  routes.get(
    '/admin/llm/metrics/models',
    {
      config: { access: watcherAccess },
      schema: {
        operationId: 'readModelSpeeds',
        summary: 'How fast models answer',
        description: 'From the calls themselves, as long as they are kept.',
        querystring: Type.Object(
          { range: Type.Optional(Type.Enum([...speedRanges], { default: '24h' })) },
          { additionalProperties: false },
        ),
        response: { 200: Speeds },
      },
    },
    async (request, reply) => {
      const { range = '24h' } = request.query
      const to = new Date()
      const speeds = await models.usage.speeds({ from: new Date(to.getTime() - speedMs[range]), to })
      return cacheFor(reply, cacheSeconds).send({
        range,
        models: speeds.map(({ latency, firstToken, inputTokens, outputTokens, ...model }) => ({
          ...model,
          ...namedPercentiles(latency),
          first_token: { ...namedPercentiles(firstToken), measured: firstToken.measured },
          input_tokens: inputTokens,
          output_tokens: outputTokens,
        })),
        timestamp: to.toISOString(),
      })
    },
  )
}

interface Percentiles {
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

function namedPercentiles({ p50, p95, p99 }: Percentiles) {
  return { p50_ms: p50, p95_ms: p95, p99_ms: p99 }
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 100) / 100
}
