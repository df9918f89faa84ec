import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, readRate, tellRate } from '#kernel/http'
import { dollars, endOfUtcDay, readRate as readingRate, requireAccount, seesFlows } from '#runs'
import { orchestraPrefix } from '../interface.ts'
import type { OrchestraOptions } from '../route-options.ts'
import { integer, number } from '../schemas/values.ts'

const moment = (description: string) => Type.String({ format: 'date-time', description })

const Quota = Type.Object({
  current_usage: Type.Object({
    requests_this_hour: integer('Requests since the hour began. Reading this does not count.'),
    concurrent_workflows: integer('Executions under way, or waiting for nothing but a worker.'),
    cost_today: number('Dollars of this UTC day, with what is set aside for calls that run.'),
  }),
  limits: Type.Object({
    requests_per_hour: integer('Of the tier.'),
    max_concurrent_workflows: integer('Of the tier.'),
    daily_cost_limit: number('Dollars, of the tier.'),
  }),
  remaining: Type.Object({
    requests: integer('Requests until one is refused.'),
    concurrent_slots: integer('Executions that can begin at once.'),
    cost_budget: number('Dollars that can still be set aside today.'),
  }),
  reset_times: Type.Object({
    hourly_reset: moment('When the hour is over, which begins with its first request.'),
    daily_reset: moment('When the UTC day is over.'),
  }),
})

/** What an account may use, as it is enforced. */
export function addQuotaRoutes(routes: HttpServer, options: OrchestraOptions): void {
  const { engine, limiter, tiers, spentToday } = options
  routes.get(
    `${orchestraPrefix}/quotas/current`,
    {
      // Bounded like other reads: somebody who polls it must not use up what it reports.
      config: { access: seesFlows, ratePolicy: readingRate },
      schema: {
        operationId: 'readQuotas',
        summary: 'See what you may use, and what you have used',
        response: { 200: Quota },
      },
    },
    async (request, reply) => {
      const { principal } = request
      const accountId = requireAccount(principal)
      const limits = tiers.limitsOfTier(principal.tier)
      const [rate, active, { spent, reserved }] = await Promise.all([
        readRate(limiter, tiers.requestsPerHour, request),
        engine.capacity.activeOf(accountId),
        spentToday(accountId),
      ])
      if (rate === undefined) throw kernelFailure('internal')
      const used = spent + reserved
      // Of the hour, as on every other answer of this interface, and not of the bound on reading.
      tellRate(reply, rate)
      return reply.header('cache-control', 'no-store').send({
        current_usage: {
          requests_this_hour: rate.limit - rate.remaining,
          concurrent_workflows: active,
          cost_today: dollars(used),
        },
        limits: {
          requests_per_hour: rate.limit,
          max_concurrent_workflows: limits.concurrentWorkflows,
          daily_cost_limit: dollars(limits.microDollarsPerDay),
        },
        remaining: {
          requests: rate.remaining,
          concurrent_slots: Math.max(0, limits.concurrentWorkflows - active),
          cost_budget: dollars(Math.max(0, limits.microDollarsPerDay - used)),
        },
        reset_times: {
          hourly_reset: rate.resetsAt.toISOString(),
          daily_reset: endOfUtcDay(new Date()).toISOString(),
        },
      })
    },
  )
}
