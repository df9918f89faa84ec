import { access, readRate } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { recommendFlows } from '../../recommend/recommend.ts'
import { RecommendRequest } from '../../recommend/request.ts'
import { readRequirements } from '../../recommend/requirements.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { qualityBy, readCandidates } from './candidates.ts'
import { describeAdvice } from './describe.ts'
import { RecommendResponse } from './schemas.ts'

type RecommendOptions = Pick<WorkflowsOptions, 'engine' | 'models'>

/** Recommends flows. */
export function addRecommendRoutes(routes: HttpServer, options: RecommendOptions): void {
  routes.post(
    `${workflowsPrefix}/recommend-flows`,
    {
      config: { access: access.seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'recommendFlows',
        summary: 'Recommend flows',
        description:
          'Scores every flow by the request and by its executions of the last 30 days. Constraints exclude flows, with the reasons; `prioritize` changes the weights. Nothing is run.',
        body: RecommendRequest,
        response: { 200: RecommendResponse },
      },
    },
    async (request) => {
      const begun = performance.now()
      const requirements = readRequirements(request.body, new Date())
      const [found, catalogue] = await Promise.all([
        readCandidates(options, requirements),
        options.models.catalogue.find(),
      ])
      const advice = recommendFlows(found.candidates, requirements, {
        catalogue,
        qualityOf: qualityBy(found.stats),
      })
      return describeAdvice(advice, requirements, found, performance.now() - begun)
    },
  )
}
