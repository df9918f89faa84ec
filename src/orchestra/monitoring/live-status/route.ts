import type { HttpServer } from '#kernel/http'
import type { ProviderView } from '#models'
import { createEstimates, epochSeconds, seesFlows } from '#runs'
import { orchestraPrefix } from '../../interface.ts'
import { gatherFacts } from '../health/facts.ts'
import { judgeComponents, overallOf } from '../health/judge.ts'
import { rounded, secondsOf, sumOfKnown } from '../numbers.ts'
import type { Watched } from '../options.ts'
import { describeActive } from './active-workflows.ts'
import { LiveStatus } from './shape.ts'

const words = { healthy: 'operational', partial: 'partial', offline: 'offline' } as const

/** How the platform is at this moment. */
export function addLiveStatusRoute(routes: HttpServer, watched: Watched): void {
  const estimate = createEstimates(watched.engine)
  routes.get(
    `${orchestraPrefix}/live-status`,
    {
      config: { access: seesFlows },
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
          uptime: rounded((now.getTime() - startedAt.getTime()) / 1000, 1),
          ...watched.system,
        },
        active_workflows: active,
        resource_usage: {
          cpu_usage: rounded(sample.cpuPercent),
          memory_usage: rounded(sample.memoryPercent),
          disk_usage: rounded(sample.diskPercent),
          network_io: rounded(sumOfKnown(sample.networkInPerSecond, sample.networkOutPerSecond), 0),
          network_in: rounded(sample.networkInPerSecond, 0),
          network_out: rounded(sample.networkOutPerSecond, 0),
        },
        ai_provider_status: Object.fromEntries(
          facts.providers.map((provider) => [provider.name, describeProvider(provider)]),
        ),
        queue_status: {
          pending_items: queue.pending,
          processing_rate: rounded(queue.perMinute),
          estimated_wait: secondsOf(queue.waitMs),
          failed_items_24h: queue.failedLastDay,
        },
        timestamp: epochSeconds(now),
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
    checked_at: epochSeconds(provider.checkedAt),
    since: epochSeconds(provider.changedAt),
  }
}
