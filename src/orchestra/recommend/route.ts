import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { seesFlows } from '#runs'
import { orchestraPrefix } from '../interface.ts'
import { RecommendAnswer } from './answer.ts'
import type { Candidate } from './candidate.ts'
import { describeAdvice } from './describe.ts'
import { type GatherOptions, gatherCandidates } from './gather.ts'
import { recommendAgents } from './recommend.ts'
import { RecommendRequest } from './request.ts'
import { readWishes, type Wishes } from './wishes.ts'

/** Which agent to take. */
export function addRecommendRoute(routes: HttpServer, options: GatherOptions): void {
  routes.post(
    `${orchestraPrefix}/agents/recommend`,
    {
      config: { access: seesFlows },
      schema: {
        operationId: 'recommendAgents',
        summary: 'Which agents suit a content',
        description:
          'Compares every agent with what is said about the content, and with what its runs of the last 30 days have shown. `requirements` leave agents out and say why; `preferences` change what counts most. Nothing is started.',
        body: RecommendRequest,
        response: { 200: RecommendAnswer },
      },
    },
    async ({ body, principal }) => {
      const at = new Date()
      const wishes = readWishes(body, { now: at, isEnterprise: principal.tier === 'enterprise' })
      const { candidates, market, workflows } = await gatherCandidates(options, wishes)
      requireKnown(wishes, candidates)
      const advice = recommendAgents(candidates, wishes, market)
      return describeAdvice(advice, wishes, { workflows, total: candidates.length, at })
    },
  )
}

/** A misspelt id would leave nobody out, and nobody would notice. */
function requireKnown({ excluded }: Wishes, candidates: readonly Candidate[]): void {
  const unknown = excluded.findIndex((id) => !candidates.some(({ agent }) => agent.id === id))
  if (unknown < 0) return
  const message = `names "${excluded[unknown]}", and there is no such agent`
  throw kernelFailure('invalid_input', {
    message: `requirements.exclude_agents[${unknown}] ${message}.`,
    problems: [{ path: `requirements.exclude_agents[${unknown}]`, message, code: 'value' }],
    details: { part: 'body' },
  })
}
