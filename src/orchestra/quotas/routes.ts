import { Type } from 'typebox'
import { access, endOfUtcDay, readRate as readRatePolicy, requireAccount, units } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, readRate, setRateHeaders } from '#kernel/http'
import { orchestraPrefix } from '../api.ts'
import type { OrchestraOptions } from '../route-options.ts'
import { integer, number } from '../schemas/values.ts'

const moment = (description: string) => Type.String({ format: 'date-time', description })

const Quota = Type.Object({
  current_usage: Type.Object({
    requests_this_hour: integer('Requests in the current hour, without reads of this endpoint.'),
    concurrent_workflows: integer('Executions that run or wait for a worker.'),
    cost_today: number('Dollars of this UTC day, including reservations for running calls.'),
  }),
  limits: Type.Object({
    requests_per_hour: integer('Limit of the tier.'),
    max_concurrent_workflows: integer('Limit of the tier.'),
    daily_cost_limit: number('Limit of the tier in dollars.'),
  }),
  remaining: Type.Object({
    requests: integer('Requests left in this hour.'),
    concurrent_slots: integer('Executions that can start now.'),
    cost_budget: number('Dollars left today.'),
  }),
  reset_times: Type.Object({
    hourly_reset: moment('End of the hour that began with the first request.'),
    daily_reset: moment('End of the UTC day.'),
  }),
})

/** The quotas of the calling account. */
export function addQuotaRoutes(routes: HttpServer, options: OrchestraOptions): void {
  const { engine, limiter, tiers, spentToday } = options
  routes.get(
    `${orchestraPrefix}/quotas/current`,
    {
      // Has the limit of other reads: polling must not use up the quota that it reports.
      config: { access: access.seesFlows, ratePolicy: readRatePolicy },
      schema: {
        operationId: 'readQuotas',
        summary: 'Get quotas and usage',
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
      // The rate headers report the hourly quota, as on every other response of this API, not the read limit.
      setRateHeaders(reply, rate)
      return reply.header('cache-control', 'no-store').send({
        current_usage: {
          requests_this_hour: rate.limit - rate.remaining,
          concurrent_workflows: active,
          cost_today: units.dollars(used),
        },
        limits: {
          requests_per_hour: rate.limit,
          max_concurrent_workflows: limits.concurrentWorkflows,
          daily_cost_limit: units.dollars(limits.microDollarsPerDay),
        },
        remaining: {
          requests: rate.remaining,
          concurrent_slots: Math.max(0, limits.concurrentWorkflows - active),
          cost_budget: units.dollars(Math.max(0, limits.microDollarsPerDay - used)),
        },
        reset_times: {
          hourly_reset: rate.resetsAt.toISOString(),
          daily_reset: endOfUtcDay(new Date()).toISOString(),
        },
      })
    },
  )
}
