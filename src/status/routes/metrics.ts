import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { MetricsHistory } from '#kernel/metrics-history'
import type { Models } from '#models'
import { clusterCounters, readLiveStats, readTraffic } from '../stats/live-stats.ts'
import { Moment } from './schemas.ts'
import { administratorAccess, cacheFor } from './shared.ts'

interface MetricsRoutesOptions {
  readonly metricsHistory: MetricsHistory
  readonly models: Pick<Models, 'usage' | 'catalogue'>
}

const [hourMs, dayMs] = [3_600_000, 86_400_000] as const

/** Length of each range and of its points. */
const seriesOf = {
  '1h': { ms: hourMs, grain: 'minute' },
  '24h': { ms: dayMs, grain: 'hour' },
  '30d': { ms: 30 * dayMs, grain: 'day' },
  '90d': { ms: 90 * dayMs, grain: 'day' },
} as const

const speedMs = { '1h': hourMs, '24h': dayMs, '7d': 7 * dayMs } as const

const cacheSeconds = 60

/** Metrics: live, over time, and by model. */
export function addMetricsRoutes(routes: HttpServer, { metricsHistory, models }: MetricsRoutesOptions): void {
  routes.get(
    '/admin/llm/metrics/live',
    {
      config: { access: administratorAccess },
      schema: {
        operationId: 'readLiveMetrics',
        summary: 'Get live metrics',
        response: { 200: LiveMetrics },
      },
    },
    async (_request, reply) => {
      const stats = await readLiveStats({ metricsHistory, models })
      return cacheFor(reply, cacheSeconds).send({ ...stats, timestamp: new Date().toISOString() })
    },
  )

  routes.get(
    '/admin/llm/metrics/series',
    {
      config: { access: administratorAccess },
      schema: {
        operationId: 'readMetricsSeries',
        summary: 'Get metrics over time',
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
      // The current point is included.
      const length = { minute: 60_000, hour: hourMs, day: dayMs }[grain]
      const period = { from: new Date(to.getTime() - ms + length), to, grain }
      const gauges = Object.values(clusterCounters)
      const [requests, usage] = await Promise.all([
        metricsHistory.series({ ...period, gauges }),
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
      config: { access: administratorAccess },
      schema: {
        operationId: 'readModelSpeeds',
        summary: 'Get model response times',
        description: 'Computed from single calls, within their retention.',
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

const LiveMetrics = Type.Object(
  {
    totalRequests: Type.Integer({
      description:
        'Requests answered by the platform and the cluster service within the retention of two years. A gateway call through the cluster counts once.',
    }),
    totalTokens: Type.Integer({
      description: 'Input and output tokens of all models, through the gateway or the cluster service.',
    }),
    averageResponseTime: Type.Number({
      description:
        'Average response time of the platform over the last day in milliseconds; 0 without requests.',
    }),
    modelsActive: Type.Integer({
      description: 'Models loaded on a node or used within the last five minutes.',
    }),
    uptime: Type.String({ description: 'Uptime of the oldest process, such as `3d 4h`.' }),
    timestamp: Moment,
    uptimeSeconds: Type.Integer(),
    requestsPerMinute: Type.Number({ description: 'Average over the last five minutes.' }),
  },
  { description: 'Live metrics.' },
)

const seriesRanges = ['1h', '24h', '30d', '90d'] as const
const speedRanges = ['1h', '24h', '7d'] as const
const Milliseconds = Type.Union([Type.Number(), Type.Null()])

const Series = Type.Object(
  {
    range: Type.Enum([...seriesRanges]),
    grain: Type.Enum(['minute', 'hour', 'day'], { description: 'Length of each point.' }),
    points: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time', description: 'Start of the point.' }),
        requests: Type.Integer({ description: 'Responses of all APIs and of the cluster service.' }),
        errors: Type.Integer({ description: 'Responses with a server error.' }),
        average_ms: Milliseconds,
        max_ms: Milliseconds,
        calls: Type.Integer({ description: 'Model calls through the gateway or the cluster service.' }),
        input_tokens: Type.Integer(),
        output_tokens: Type.Integer(),
      }),
      { description: 'Without gaps, the earliest first, the current point last.' },
    ),
    timestamp: Moment,
  },
  { description: 'Requests, response times and tokens over time.' },
)

const percentiles = { p50_ms: Milliseconds, p95_ms: Milliseconds, p99_ms: Milliseconds }

const Speeds = Type.Object(
  {
    range: Type.Enum([...speedRanges]),
    models: Type.Array(
      Type.Object({
        provider: Type.String(),
        model: Type.String(),
        calls: Type.Integer(),
        failures: Type.Integer(),
        ...percentiles,
        first_token: Type.Object(
          {
            ...percentiles,
            measured: Type.Integer({ description: 'Calls with a measured first token.' }),
          },
          { description: 'Time to first token.' },
        ),
        input_tokens: Type.Integer(),
        output_tokens: Type.Integer(),
      }),
      { description: 'The models with the most calls first, at most 100. Cached responses are left out.' },
    ),
    timestamp: Moment,
  },
  { description: 'Response times of models.' },
)
