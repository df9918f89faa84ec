import { Type } from 'typebox'
import type { ExecutionRecord } from '#engine'
import { access, managesAll, responses, units } from '#executions-api'
import type { HttpServer, Principal } from '#kernel/http'
import type { ProviderView } from '#models'
import { createEstimates, type EstimateExecution } from '#outbox'
import { orchestraPrefix } from '../../interface.ts'
import { integer, maybeInteger, maybeNumber, maybeText, number, text, texts } from '../../schemas/values.ts'
import { gatherFacts } from '../health/facts.ts'
import { judgeComponents, overallOf } from '../health/judge.ts'
import { secondsOf, sumOfKnown } from '../numbers.ts'
import type { Watched } from '../options.ts'

const words = { healthy: 'operational', partial: 'partial', offline: 'offline' } as const

/** How the platform is at this moment. */
export function addLiveStatusRoute(routes: HttpServer, watched: Watched): void {
  const estimate = createEstimates(watched.engine)
  routes.get(
    `${orchestraPrefix}/live-status`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'readLiveStatus',
        summary: 'See how the platform is at this moment',
        description:
          'Everything is measured: the machine every five seconds, providers every thirty, the queue now. While the database is away the answer is 503.',
        response: { 200: LiveStatus },
      },
    },
    async ({ principal }, reply) => {
      const now = new Date()
      const facts = await gatherFacts(watched, now)
      const active = await describeActive(watched, estimate, principal, now)
      const { sample, startedAt } = facts.process
      const { queue } = facts
      return reply.header('cache-control', 'no-store').send({
        system_status: {
          status: words[overallOf(judgeComponents(facts))],
          uptime: units.round((now.getTime() - startedAt.getTime()) / 1000, 1),
          ...watched.system,
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
          facts.providers.map((provider) => [provider.name, describeProvider(provider)]),
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

/** Executions under way that somebody may see: with `manage workflows` everybody's, else one's own. */
async function describeActive(
  { engine, activity }: Pick<Watched, 'engine' | 'activity'>,
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
    const expected = responses.expectationOf(record, await estimate(record), now)
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
  response_time: maybeNumber('Seconds of the last probe; null when it was not asked or did not answer.'),
  active_connections: integer('Calls of this process that it is working on.'),
  models_available: texts('The ids of the models it can answer with.'),
  rate_limit_remaining: maybeInteger(
    'Requests it still takes, as its last answer to this process said; null when it does not say.',
  ),
  last_error: maybeText('What is wrong; null when nothing is.'),
  checked_at: integer('When it was last probed, every 30 seconds. Epoch seconds.'),
  since: integer('Since when it has this status. Epoch seconds.'),
})

const LiveStatus = Type.Object(
  {
    system_status: Type.Object({
      status: Type.Enum(['operational', 'partial', 'offline'], {
        description:
          'offline: no worker runs executions. partial: a provider that is set up does not answer well, the queue is stuck, or the machine is at its limits.',
      }),
      uptime: number('Seconds since the process that answers began.'),
      version: text('Of the platform.'),
      environment: text('`development`, `production` or `test`.'),
    }),
    active_workflows: Type.Array(
      Type.Object({
        id: text('The execution.'),
        workflow_id: text('The workflow it runs.'),
        started_at: integer('Epoch seconds.'),
        progress: number('Percentage of steps that are over.'),
        current_step: maybeText('Null between two steps.'),
        estimated_completion: maybeInteger('Epoch seconds; null when nothing is known to estimate by.'),
      }),
      { description: 'Executions under way that you may see, the oldest first; 50 at most.' },
    ),
    resource_usage: Type.Object(
      {
        cpu_usage: maybeNumber('Percent of the processors of the machine.'),
        memory_usage: number('Percent of the memory of the machine, or of what its container may have.'),
        disk_usage: maybeNumber('Percent of the disk that holds the data folder.'),
        network_io: maybeNumber('Bytes a second, in and out; null where the system does not tell.'),
        network_in: maybeNumber('Bytes a second.'),
        network_out: maybeNumber('Bytes a second.'),
      },
      { description: 'Of the machine that answers, over the last seconds.' },
    ),
    ai_provider_status: Type.Record(Type.String(), Provider, { description: 'By the name of the provider.' }),
    queue_status: Type.Object({
      pending_items: integer('Executions that wait, whatever for.'),
      processing_rate: number('Executions that ended in a minute, in the last quarter of an hour.'),
      estimated_wait: maybeNumber(
        'Seconds until one that is added now begins; null when nothing has ended lately to measure by.',
      ),
      failed_items_24h: integer('Executions that failed in the last 24 hours, up to five seconds ago.'),
    }),
    timestamp: integer('Epoch seconds.'),
    server_time: Type.String({ format: 'date-time' }),
  },
  { description: 'How the platform is at this moment.' },
)
