import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { MetricsHistory } from '#kernel/metrics-history'
import { configurationRate } from '../api.ts'
import { statusFailure } from '../errors.ts'
import {
  describeGeneral,
  describeSystem,
  type ReadHealth,
  type HealthReport as Report,
  type WholeReport,
} from '../health/health-report.ts'
import { type Counts, type History, historyRanges } from '../history/history-report.ts'
import type { Prober } from '../services/prober.ts'
import { type ServiceMetadata, serviceNames } from '../services/service.ts'
import { HealthReport, Moment, ServiceStatus, statusTypes } from './schemas.ts'
import { cacheFor, watcherAccess } from './shared.ts'

interface HealthRoutesOptions {
  readonly readHealth: ReadHealth
  readonly prober: Pick<Prober, 'round'>
  readonly metricsHistory: Pick<MetricsHistory, 'now'>
  readonly version: string
}

const healthSeconds = 30
const statusSeconds = 120
const maxRoundMs = 60_000

type StatusType = (typeof statusTypes)[number]

/** How everything is, and how one thing is. */
export function addHealthReportRoutes(routes: HttpServer, options: HealthRoutesOptions): void {
  const { readHealth, prober, metricsHistory, version } = options

  routes.get(
    '/api/llm/health',
    {
      config: { access: watcherAccess },
      schema: {
        operationId: 'readServicesHealth',
        summary: 'How everything is',
        description:
          'All services as one replica saw them last, with a score and a level. A client that asks every half minute may take `healthy` for online and everything else for offline.',
        response: { 200: HealthReport },
      },
    },
    async (_request, reply) => cacheFor(reply, healthSeconds).send(describeReport(await readHealth())),
  )

  routes.post(
    '/admin/llm/probe',
    {
      config: { access: watcherAccess, ratePolicy: configurationRate },
      schema: {
        operationId: 'probeServices',
        summary: 'Look at everything now',
        description:
          'A round of probes beside the usual ones, which counts like them. Answers how everything is told to be then; one probe alone seldom changes that.',
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
      config: { access: watcherAccess },
      schema: {
        operationId: 'readServiceStatus',
        summary: 'How one service is',
        description:
          '`general` is everything together, `system` this installation: its database, queue, disk and processes. Each service can be asked for by its name.',
        params: Type.Object({
          status_type: Type.String({ description: `One of ${statusTypes.join(', ')}.` }),
        }),
        response: { 200: ServiceStatus },
      },
    },
    async (request, reply) => {
      const name = requireType(request.params.status_type)
      const told = await describe(name)
      return cacheFor(reply, statusSeconds).send({
        name,
        status: told.state,
        statusText: told.text,
        responseTime: told.responseTime,
        lastCheck: told.lastCheck.toISOString(),
        metadata: describeMetadata(told.metadata),
        since: told.since.toISOString(),
      })
    },
  )

  async function describe(name: StatusType): Promise<WholeReport> {
    const report = await readHealth()
    if (name === 'general') return await describeGeneral({ report, metricsHistory, version })
    if (name === 'system') return await describeSystem({ report, metricsHistory, version })
    const service = report.services.find((candidate) => candidate.name === name)
    if (service === undefined) throw new Error(`nobody looked at ${name}`)
    return service
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
      weight: weights[name],
    })),
    timestamp: new Date().toISOString(),
  }
}

/** The documented types hold whether or not a service has such a thing, and whatever an earlier version stored. */
function describeMetadata({ version, models_loaded, memory_usage }: Partial<ServiceMetadata>) {
  return {
    version: version ?? 'unknown',
    models_loaded: models_loaded ?? 0,
    memory_usage: memory_usage ?? 'unknown',
  }
}

function requireType(text: string): StatusType {
  const found = statusTypes.find((type) => type === text)
  if (found !== undefined) return found
  throw statusFailure('status_type_not_found', {
    message: `There is no status "${text.slice(0, 50)}". There are ${statusTypes.join(', ')}.`,
  })
}

const Milliseconds = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const counts = {
  uptime: Type.Union([Type.Number(), Type.Null()], {
    description: 'Percent of the probes that were not offline; null when nobody looked.',
  }),
  checks: Type.Integer({ description: 'How many probes there were: the sum of the next three.' }),
  online: Type.Integer(),
  degraded: Type.Integer(),
  offline: Type.Integer(),
  average_ms: Milliseconds('The average response time; null when nothing was measured.'),
}

const HistoryAnswer = Type.Object(
  {
    range: Type.Enum([...historyRanges]),
    services: Type.Array(
      Type.Object({
        name: Type.Enum([...serviceNames]),
        ...counts,
        p50_ms: Milliseconds('Half of the probes were answered within it, right to within a fifth.'),
        p95_ms: Milliseconds('95 of 100 were.'),
        p99_ms: Milliseconds('99 of 100 were.'),
        max_ms: Milliseconds('All were.'),
        bars: Type.Array(
          Type.Object({
            at: Type.String({ format: 'date-time', description: 'When it begins.' }),
            state: Type.Enum(['online', 'degraded', 'offline', 'none'], {
              description:
                '`none`: nobody looked. `offline`: more than half of the probes. `degraded`: more than one of a hundred were not online.',
            }),
            ...counts,
          }),
          { description: 'Quarters of an hour, or days in UTC; the earliest first.' },
        ),
      }),
    ),
    timestamp: Moment,
  },
  { description: 'How the services were.' },
)

const metricsSeconds = 60

/** How services were over the last day, month or quarter. */
export function addHistoryRoutes(routes: HttpServer, { history }: { readonly history: History }): void {
  routes.get(
    '/admin/llm/history',
    {
      config: { access: watcherAccess },
      schema: {
        operationId: 'readServiceHistory',
        summary: 'How services were',
        description:
          'What each single probe saw, before damping: for the last day by quarters of an hour, for 30 and 90 days by days. While the database was away nobody could write, and there are no probes.',
        querystring: Type.Object(
          {
            service: Type.Optional(Type.Enum([...serviceNames], { description: 'All of them when absent.' })),
            range: Type.Optional(Type.Enum([...historyRanges], { default: '24h' })),
          },
          { additionalProperties: false },
        ),
        response: { 200: HistoryAnswer },
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
