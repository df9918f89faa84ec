import { executionGauges } from '#engine'
import { access, units } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import type { MetricsHistory } from '#kernel/metrics-history'
import type { ProviderView } from '#models'
import { orchestraPrefix } from '../../interface.ts'
import type { Watched } from '../options.ts'
import { isThere, withLanguageModels } from '../providers.ts'
import { describeComponents, describeDetails, describePerformance } from './describe.ts'
import { type Facts, gatherFacts } from './facts.ts'
import { type Finding, type Rule, sinceWhen } from './finding.ts'
import { isQueueStuck, judgeComponents, overallOf, recentAverage, scoreOf, thresholds } from './judge.ts'
import { processRules } from './process-trouble.ts'
import { Health, HealthQuery } from './shape.ts'

/** How every part of the platform is. */
export function addHealthRoute(routes: HttpServer, watched: Watched): void {
  routes.get(
    `${orchestraPrefix}/health`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'readHealth',
        summary: 'See how every part of the platform is',
        description:
          'Measured, with what is not well and what to do about it. While the database is away the answer is 503.',
        querystring: HealthQuery,
        response: { 200: Health },
      },
    },
    async ({ query }, reply) => {
      const now = new Date()
      const facts = await gatherFacts(watched, now, { check: query.check_providers })
      const availability = await readAvailability(watched.metricsHistory, now)
      const components = judgeComponents(facts)
      const trouble = findTrouble(facts)
      return reply.header('cache-control', 'no-store').send({
        overall_status: overallOf(components),
        health_score: scoreOf(components, facts),
        components: describeComponents(facts, components),
        performance_metrics: describePerformance(facts, availability),
        alerts: trouble.map(({ alert }) => alert),
        recommendations: [...new Set(trouble.map(({ recommendation }) => recommendation))],
        next_maintenance: null,
        timestamp: units.epochSeconds(now),
        ...(query.include_details && { details: describeDetails(facts) }),
      })
    },
  )
}

const order = ['critical', 'warning', 'info'] as const

/** Everything that is not well, the worst first. */
export function findTrouble(facts: Facts): readonly Finding[] {
  return [...queueRules, ...providerRules, ...processRules, ...machineRules]
    .flatMap((rule) => rule(facts))
    .toSorted((one, other) => order.indexOf(one.alert.level) - order.indexOf(other.alert.level))
}

const dayMs = 86_400_000

/** Every process samples this wherever it runs. */
const alwaysSampled = 'load'

/** Percent of the minutes of the last day in which a process ran, from the first that is known; null before the first. */
async function readAvailability(metricsHistory: MetricsHistory, now: Date): Promise<number | null> {
  const minutes = await metricsHistory.series({
    from: new Date(now.getTime() - dayMs),
    to: now,
    grain: 'minute',
    gauges: [alwaysSampled],
    requests: false,
  })
  const wasThere = minutes.map((point) => point.average(alwaysSampled) !== null)
  const first = wasThere.indexOf(true)
  if (first < 0) return null
  // The minute under way has only begun: nobody may have sampled it yet.
  const known = wasThere.slice(first, wasThere.at(-1) === false ? -1 : undefined)
  return units.percentage(known.filter(Boolean).length, known.length)
}

/** Providers that are set up and do not answer well. */
const providerRules: readonly Rule[] = [
  ({ providers }) =>
    withLanguageModels(providers)
      .filter(({ status }) => status !== 'online')
      .map((provider) => aboutProvider(provider, providers)),
]

function aboutProvider(provider: ProviderView, all: readonly ProviderView[]): Finding {
  const { name, status, lastError, changedAt } = provider
  const left = withLanguageModels(all).filter(isThere)
  const isLast = left.length === 0
  const others = left.filter((other) => other.name !== name).map((other) => other.name)
  return {
    alert: {
      level: isLast ? 'critical' : 'warning',
      component: 'ai_providers',
      message: `Provider ${name} is ${status}${lastError === null ? '.' : `: ${lastError}`}`,
      since: units.epochSeconds(changedAt),
      impact: isLast
        ? 'No language model can be asked; only the built-in analysis answers.'
        : status === 'degraded'
          ? 'Its answers may be slow or fail.'
          : `Its models cannot be asked; ${others.join(' and ') || 'nobody'} can.`,
    },
    recommendation:
      status === 'offline'
        ? `Check the address and the key of ${name}, and allow a fallback to other providers.`
        : `Watch ${name}, and let steps that cannot wait prefer another provider.`,
  }
}

/** Workers that are gone, and executions that wait too long. */
const queueRules: readonly Rule[] = [
  ({ queue, now }) =>
    queue.workers.some(({ alive }) => alive)
      ? []
      : [
          {
            alert: {
              level: 'critical',
              component: 'queue_processor',
              message: 'No worker runs executions.',
              since: units.epochSeconds(queue.workers.at(-1)?.heartbeatAt ?? now),
              impact: `Nothing that is started is worked on; ${queue.pending} executions wait.`,
            },
            recommendation:
              'Start a process with the role `all` or `worker`, and look at its log if it ended.',
          },
        ],

  (facts) => {
    const { queue, minutes, now } = facts
    const stuck = isQueueStuck(facts)
    if (!stuck && (queue.waitMs ?? 0) < thresholds.queueWaitMs) return []
    const minutesLeft = Math.round((queue.waitMs ?? 0) / 60_000)
    return [
      {
        alert: {
          level: 'warning',
          component: 'queue_processor',
          message: stuck
            ? `${queue.due} executions wait for a worker, and none runs.`
            : `${queue.due} executions wait for a worker.`,
          since: sinceWhen(minutes, now, (point) => (point.average(executionGauges.queued) ?? 0) >= 1),
          impact: stuck ? 'Nothing moves.' : `One that is added now begins in about ${minutesLeft} minutes.`,
        },
        recommendation:
          'Add a worker, or raise TUTTI_EXECUTION_CONCURRENCY where the machine has room for more.',
      },
    ]
  },
]

/** Machines at their limits. */
const machineRules: readonly Rule[] = [
  (facts) =>
    atLimit(facts, {
      gauge: 'cpu_percent',
      what: 'The processors are',
      limit: thresholds.cpu,
      value: recentAverage(facts, 'cpu_percent'),
      impact: 'Answers and executions take longer.',
      recommendation: 'Add a process on another machine, or lower TUTTI_EXECUTION_CONCURRENCY.',
    }),

  (facts) =>
    atLimit(facts, {
      gauge: 'memory_percent',
      what: 'The memory is',
      limit: thresholds.memory,
      value: facts.process.sample.memoryPercent,
      impact: 'The system may end processes; their executions are taken up by others.',
      recommendation:
        'Give the machine more memory, or lower MODEL_CACHE_SIZE and TUTTI_EXECUTION_CONCURRENCY.',
    }),

  (facts) =>
    atLimit(facts, {
      gauge: 'disk_percent',
      what: 'The disk of the data folder is',
      limit: thresholds.disk,
      value: facts.process.sample.diskPercent,
      impact: 'A full disk stops the embedded database.',
      recommendation: 'Make room, or shorten TUTTI_EXECUTION_RETENTION and EVENT_RETENTION.',
    }),
]

function atLimit(
  facts: Facts,
  about: {
    readonly gauge: string
    readonly what: string
    readonly limit: number
    readonly value: number | null
    readonly impact: string
    readonly recommendation: string
  },
): readonly Finding[] {
  const { gauge, what, limit, value, impact, recommendation } = about
  if (value === null || value < limit) return []
  return [
    {
      alert: {
        level: value >= 97 ? 'critical' : 'warning',
        component: 'orchestrator',
        message: `${what} ${units.round(value, 1)} % in use.`,
        since: sinceWhen(facts.minutes, facts.now, (point) => (point.average(gauge) ?? 0) >= limit),
        impact,
      },
      recommendation,
    },
  ]
}
