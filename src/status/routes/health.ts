import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { MetricsHistory } from '#kernel/metrics-history'
import { configurationRate } from '../api.ts'
import { statusFailure } from '../errors.ts'
import type { ReadHealth, HealthReport as Report } from '../health/health-report.ts'
import { describeGeneral, describeSystem, type WholeReport } from '../health/whole.ts'
import type { Prober } from '../services/prober.ts'
import type { ServiceMetadata } from '../services/service.ts'
import { cacheFor, watcherAccess } from './answers.ts'
import { HealthReport, ServiceStatus, statusTypes } from './shapes.ts'

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
