import type { HttpServer } from '#kernel/http'
import { epochSeconds, seesFlows } from '#runs'
import { orchestraPrefix } from '../../interface.ts'
import type { Watched } from '../options.ts'
import { findTrouble } from './alerts.ts'
import { readAvailability } from './availability.ts'
import { describeComponents, describeDetails, describePerformance } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { judgeComponents, overallOf, scoreOf } from './judge.ts'
import { Health, HealthQuery } from './shape.ts'

/** How every part of the platform is. */
export function addHealthRoute(routes: HttpServer, watched: Watched): void {
  routes.get(
    `${orchestraPrefix}/health`,
    {
      config: { access: seesFlows },
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
      const availability = await readAvailability(watched.vitals, now)
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
        timestamp: epochSeconds(now),
        ...(query.include_details && { details: describeDetails(facts) }),
      })
    },
  )
}
