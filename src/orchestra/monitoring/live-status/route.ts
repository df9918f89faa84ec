import { Type } from 'typebox'
import type { ExecutionRecord } from '#engine'
import { access, estimates, managesAll, responses, units } from '#executions-api'
import type { HttpServer, Principal } from '#kernel/http'
import type { ProviderView } from '#models'
import { createEstimates, type EstimateExecution } from '#outbox'
import { orchestraPrefix } from '../../api.ts'
import { integer, maybeInteger, maybeNumber, maybeText, number, text, texts } from '../../schemas/values.ts'
import { readHealthStats } from '../health/stats.ts'
import { componentStatuses, overallStatusOf } from '../health/status.ts'
import { secondsOf, sumOfKnown } from '../numbers.ts'
import type { MonitoringOptions } from '../options.ts'

const statusNames = { healthy: 'operational', partial: 'partial', offline: 'offline' } as const

/** The current state of the platform. */
export function addLiveStatusRoute(routes: HttpServer, options: MonitoringOptions): void {
  const estimate = createEstimates(options.engine)
  routes.get(
    `${orchestraPrefix}/live-status`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'readLiveStatus',
        summary: 'Get the live status',
        description:
          'The machine is sampled every five seconds, providers every thirty; the queue is read now. Responds with 503 while the database is unavailable.',
        response: { 200: LiveStatus },
      },
    },
    async ({ principal }, reply) => {
      const now = new Date()
      const stats = await readHealthStats(options, now)
      const active = await describeActive(options, estimate, principal, now)
      const { sample, startedAt } = stats.process
      const { queue } = stats
      return reply.header('cache-control', 'no-store').send({
        system_status: {
          status: statusNames[overallStatusOf(componentStatuses(stats))],
          uptime: units.round((now.getTime() - startedAt.getTime()) / 1000, 1),
          ...options.system,
        },
        active_workflows: active,
        resource_usage: {
          cpu_usage: units.round(sample.cpuPercent, 2),
          memory_usage: units.round(sample.memoryPercent, 2),
          disk_usage: units.round(sample.diskPercent, 2),
          network_io: units.round(sumOfKnown(sample.networkInPerSecond, sample.networkOutPerSecond), 0),
          network_in: units.round(sample.networkInPerSecond, 0),
          network_out: units.round(sample.networkOutPerSecond, 0),
        },
        ai_provider_status: Object.fromEntries(
          stats.providers.map((provider) => [provider.name, describeProvider(provider)]),
        ),
        queue_status: {
          pending_items: queue.pending,
          processing_rate: units.round(queue.perMinute, 2),
          estimated_wait: secondsOf(queue.waitMs),
          failed_items_24h: queue.failedLastDay,
        },
        timestamp: units.epochSeconds(now),
        server_time: now.toISOString(),
      })
    },
  )
}

function describeProvider(provider: ProviderView) {
  return {
    status: provider.status,
    response_time: secondsOf(provider.responseMs),
    active_connections: provider.activeCalls,
    models_available: [...provider.models],
    rate_limit_remaining: provider.rateLimitRemaining,
    last_error: provider.lastError,
    checked_at: units.epochSeconds(provider.checkedAt),
    since: units.epochSeconds(provider.changedAt),
  }
}

const maxShown = 50

/** The running executions that the caller may see. */
async function describeActive(
  { engine, activity }: Pick<MonitoringOptions, 'engine' | 'activity'>,
  estimate: EstimateExecution,
  principal: Principal,
  now: Date,
) {
  if (principal.id === null && !managesAll(principal)) return []
  const accountId = managesAll(principal) ? undefined : (principal.id ?? undefined)
  const ids = await activity.running({ accountId, limit: maxShown })
  const records = await Promise.all(ids.map((id) => engine.executions.read(id)))
  const running = records.filter((record) => record?.status === 'running')
  return await Promise.all(running.flatMap((record) => (record === undefined ? [] : [describe(record)])))

  async function describe(record: ExecutionRecord) {
    const expected = estimates.expectationOf(record, await estimate(record), now)
    const { overall_percentage, current_step } = responses.describeProgress(record, expected, now)
    const { remainingMs } = expected
    return {
      id: record.id,
      workflow_id: record.flowId,
      started_at: units.epochSeconds(record.startedAt ?? record.createdAt),
      progress: overall_percentage,
      current_step,
      estimated_completion:
        remainingMs === null ? null : units.epochSeconds(new Date(now.getTime() + remainingMs)),
    }
  }
}

const Provider = Type.Object({
  status: Type.Enum(['online', 'degraded', 'offline', 'unconfigured']),
  response_time: maybeNumber('Seconds of the last probe; null without a response.'),
  active_connections: integer('Calls in flight of this process.'),
  models_available: texts('The ids of its models.'),
  rate_limit_remaining: maybeInteger(
    'Requests left, by its last response to this process; null when it does not report them.',
  ),
  last_error: maybeText('The last error; null without one.'),
  checked_at: integer('Time of the last probe, which runs every 30 seconds. Epoch seconds.'),
  since: integer('Start of this status. Epoch seconds.'),
})

const LiveStatus = Type.Object(
  {
    system_status: Type.Object({
      status: Type.Enum(['operational', 'partial', 'offline'], {
        description:
          'offline: no worker runs executions. partial: a configured provider has problems, the queue is stuck, or the machine is at its limits.',
      }),
      uptime: number('Seconds since the responding process started.'),
      version: text('The version of the platform.'),
      environment: text('`development`, `production` or `test`.'),
    }),
    active_workflows: Type.Array(
      Type.Object({
        id: text('The execution id.'),
        workflow_id: text('The workflow id.'),
        started_at: integer('Epoch seconds.'),
        progress: number('Percent of steps that have finished.'),
        current_step: maybeText('Null between two steps.'),
        estimated_completion: maybeInteger('Epoch seconds; null when unknown.'),
      }),
      { description: 'Running executions that you may see, the oldest first; at most 50.' },
    ),
    resource_usage: Type.Object(
      {
        cpu_usage: maybeNumber('Percent of the processors of the machine.'),
        memory_usage: number('Percent of the memory of the machine or of the container limit.'),
        disk_usage: maybeNumber('Percent of the disk that holds the data folder.'),
        network_io: maybeNumber('Bytes per second, in and out; null where the system does not report it.'),
        network_in: maybeNumber('Bytes per second.'),
        network_out: maybeNumber('Bytes per second.'),
      },
      { description: 'The responding machine, over the last seconds.' },
    ),
    ai_provider_status: Type.Record(Type.String(), Provider, { description: 'By the name of the provider.' }),
    queue_status: Type.Object({
      pending_items: integer('Waiting executions.'),
      processing_rate: number('Executions that finished per minute, in the last 15 minutes.'),
      estimated_wait: maybeNumber(
        'Seconds until a new execution starts; null when none has finished recently.',
      ),
      failed_items_24h: integer('Executions that failed in the last 24 hours, up to five seconds ago.'),
    }),
    timestamp: integer('Epoch seconds.'),
    server_time: Type.String({ format: 'date-time' }),
  },
  { description: 'The current state of the platform.' },
)
