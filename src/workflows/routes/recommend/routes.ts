import type { HttpServer } from '#kernel/http'
import { readRate, seesFlows } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import { recommendFlows } from '../../recommend/recommend.ts'
import { RecommendRequest } from '../../recommend/request.ts'
import { readWishes } from '../../recommend/wishes.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { RecommendAnswer } from './answer.ts'
import { describeAdvice } from './describe.ts'
import { gatherCandidates, qualityBy } from './gather.ts'

type RecommendOptions = Pick<WorkflowsOptions, 'engine' | 'models'>

/** Which flow to take. */
export function addRecommendRoutes(routes: HttpServer, options: RecommendOptions): void {
  routes.post(
    `${workflowsPrefix}/recommend-flows`,
    {
      config: { access: seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'recommendFlows',
        summary: 'Which flows suit a content',
        description:
          'Compares every flow with what is said about content, people and requirements, and with what its executions of the last 30 days have shown. Constraints leave flows out and say why; `prioritize` changes what counts most. Nothing is started.',
        body: RecommendRequest,
        response: { 200: RecommendAnswer },
      },
    },
    async (request) => {
      const begun = performance.now()
      const wishes = readWishes(request.body, new Date())
      const [gathered, catalogue] = await Promise.all([
        gatherCandidates(options, wishes),
        options.models.catalogue.find(),
      ])
      const advice = recommendFlows(gathered.candidates, wishes, {
        catalogue,
        qualityOf: qualityBy(gathered.figures),
      })
      return describeAdvice(advice, wishes, gathered, performance.now() - begun)
    },
  )
}
