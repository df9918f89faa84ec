import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { MetricsHistory } from '#kernel/metrics-history'
import { configurationRate } from '../api.ts'
import { statusFailure } from '../errors.ts'
import {
  type AggregateReport,
  describeGeneral,
  describeSystem,
  type ReadHealth,
  type HealthReport as Report,
} from '../health/health-report.ts'
import { type Counts, type History, historyRanges } from '../history/history-report.ts'
import type { Prober } from '../services/prober.ts'
import { type ServiceMetadata, type ServiceName, valueFor } from '../services/service.ts'
import {
  aggregateTypes,
  HealthReport,
  Moment,
  ServiceNameSchema,
  ServiceStatus,
  statusTypes,
} from './schemas.ts'
import { administratorAccess, cacheFor } from './shared.ts'

interface HealthRoutesOptions {
  readonly readHealth: ReadHealth
  readonly prober: Pick<Prober, 'round'>
  readonly metricsHistory: Pick<MetricsHistory, 'now'>
  readonly version: string
}

const healthSeconds = 30
const statusSeconds = 120
const maxRoundMs = 60_000

interface DescribedStatus {
  readonly name: (typeof aggregateTypes)[number] | ServiceName
  readonly report: AggregateReport
}

/** Health of all services, and the status of one. */
export function addHealthReportRoutes(routes: HttpServer, options: HealthRoutesOptions): void {
  const { readHealth, prober, metricsHistory, version } = options

  routes.get(
    '/api/llm/health',
    {
      config: { access: administratorAccess },
      schema: {
        operationId: 'readServicesHealth',
        summary: 'Get health',
        description:
          'The last known status of all services, with a score and a level. A client that polls every 30 seconds may treat `healthy` as online and every other level as offline.',
        response: { 200: HealthReport },
      },
    },
    async (_request, reply) => cacheFor(reply, healthSeconds).send(describeReport(await readHealth())),
  )

  routes.post(
    '/admin/llm/probe',
    {
      config: { access: administratorAccess, ratePolicy: configurationRate },
      schema: {
        operationId: 'probeServices',
        summary: 'Probe all services',
        description:
          'Runs an additional round of probes, which counts like the regular ones, and returns the health after it. A single probe seldom changes the status.',
        response: { 200: HealthReport },
      },
    },
    async (_request, reply) => {
      await prober.round(AbortSignal.timeout(maxRoundMs))
      return reply.header('cache-control', 'no-store').send(describeReport(await readHealth()))
    },
  )

  routes.get(
    '/admin/llm/status/:status_type',
    {
      config: { access: administratorAccess },
      schema: {
        operationId: 'readServiceStatus',
        summary: 'Get the status of a service',
        description:
          '`general` summarises all services, `system` the database, queue, disk and processes. Each service is available by its name.',
        params: Type.Object({
          status_type: Type.String({
            description: `One of ${statusTypes.join(', ')}, or \`provider:\` and the name of a further model provider.`,
          }),
        }),
        response: { 200: ServiceStatus },
      },
    },
    async (request, reply) => {
      const { name, report } = await describe(request.params.status_type)
      return cacheFor(reply, statusSeconds).send({
        name,
        status: report.state,
        statusText: report.text,
        responseTime: report.responseTime,
        lastCheck: report.lastCheck.toISOString(),
        metadata: describeMetadata(report.metadata),
        since: report.since.toISOString(),
      })
    },
  )

  async function describe(type: string): Promise<DescribedStatus> {
    const report = await readHealth()
    const name = aggregateTypes.find((aggregate) => aggregate === type)
    if (name !== undefined) {
      const aggregate = name === 'general' ? describeGeneral : describeSystem
      return { name, report: await aggregate({ report, metricsHistory, version }) }
    }
    const service = report.services.find((candidate) => candidate.name === type)
    if (service !== undefined) return { name: service.name, report: service }
    const types = [...aggregateTypes, ...report.services.map((known) => known.name)]
    throw statusFailure('status_type_not_found', {
      message: `Unknown status type "${type.slice(0, 50)}". Use one of ${types.join(', ')}.`,
    })
  }
}

function describeReport({ score, level, message, services, weights }: Report) {
  return {
    overallScore: score,
    systemStatus: { level, message },
    services: services.map(({ name, state, text, responseTime, since, flapping }) => ({
      name,
      status: state,
      statusText: text,
      responseTime,
      since: since.toISOString(),
      flapping,
      weight: valueFor(weights, name),
    })),
    timestamp: new Date().toISOString(),
  }
}

/** The fields always have their documented types, also for rows of an earlier version. */
function describeMetadata({ version, models_loaded, memory_usage }: Partial<ServiceMetadata>) {
  return {
    version: version ?? 'unknown',
    models_loaded: models_loaded ?? 0,
    memory_usage: memory_usage ?? 'unknown',
  }
}

const Milliseconds = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const counts = {
  uptime: Type.Union([Type.Number(), Type.Null()], {
    description: 'Percentage of probes that were not offline; null without probes.',
  }),
  checks: Type.Integer({ description: 'Number of probes: the sum of the next three.' }),
  online: Type.Integer(),
  degraded: Type.Integer(),
  offline: Type.Integer(),
  average_ms: Milliseconds('Average response time; null without measurements.'),
}

const HistoryResponse = Type.Object(
  {
    range: Type.Enum([...historyRanges]),
    services: Type.Array(
      Type.Object({
        name: ServiceNameSchema,
        ...counts,
        p50_ms: Milliseconds('Median response time, accurate to a fifth.'),
        p95_ms: Milliseconds('95th percentile.'),
        p99_ms: Milliseconds('99th percentile.'),
        max_ms: Milliseconds('Longest response time.'),
        bars: Type.Array(
          Type.Object({
            at: Type.String({ format: 'date-time', description: 'Start of the bar.' }),
            state: Type.Enum(['online', 'degraded', 'offline', 'none'], {
              description:
                '`none`: no probes. `offline`: more than half of the probes were offline. `degraded`: more than 1 % of the probes were not online.',
            }),
            ...counts,
          }),
          { description: 'Intervals of 15 minutes (24h) or days in UTC; the earliest first.' },
        ),
      }),
    ),
    timestamp: Moment,
  },
  { description: 'History of the services.' },
)

const metricsSeconds = 60

/** History of the services over the last day, 30 or 90 days. */
export function addHistoryRoutes(routes: HttpServer, { history }: { readonly history: History }): void {
  routes.get(
    '/admin/llm/history',
    {
      config: { access: administratorAccess },
      schema: {
        operationId: 'readServiceHistory',
        summary: 'Get service history',
        description:
          'The results of all probes before damping: in intervals of 15 minutes for the last day, in days for 30 and 90 days. Periods in which the database was unavailable have no probes.',
        querystring: Type.Object(
          {
            service: Type.Optional(ServiceNameSchema),
            range: Type.Optional(Type.Enum([...historyRanges], { default: '24h' })),
          },
          { additionalProperties: false },
        ),
        response: { 200: HistoryResponse },
      },
    },
    async (request, reply) => {
      const { service, range = '24h' } = request.query
      const services = await history.read({ service, range })
      return cacheFor(reply, metricsSeconds).send({
        range,
        services: services.map((one) => ({
          name: one.service,
          ...countsOf(one),
          p50_ms: rounded(one.p50),
          p95_ms: rounded(one.p95),
          p99_ms: rounded(one.p99),
          max_ms: rounded(one.maxMs),
          bars: one.bars.map((bar) => ({ at: bar.at.toISOString(), state: bar.state, ...countsOf(bar) })),
        })),
        timestamp: new Date().toISOString(),
      })
    },
  )
}

function countsOf({
  uptime,
  checks,
  online,
  degraded,
  offline,
  averageMs,
}: Counts & { readonly uptime: number | null; readonly averageMs: number | null }) {
  return {
    uptime: uptime === null ? null : Math.round(uptime * 1000) / 1000,
    checks,
    online,
    degraded,
    offline,
    average_ms: rounded(averageMs),
  }
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 100) / 100
}
