import type { Flow } from '#engine'
import { access, invalidField, recommend } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../interface.ts'
import type { OrchestraOptions } from '../route-options.ts'
import type { Market } from './alternatives.ts'
import { RecommendAnswer } from './answer.ts'
import { asksModel, type Candidate } from './candidate.ts'
import { describeAdvice } from './describe.ts'
import { estimateAgent } from './estimate.ts'
import { recommendAgents } from './recommend.ts'
import { recordOf } from './record.ts'
import { RecommendRequest } from './request.ts'
import { type Requirements, readRequirements } from './requirements.ts'

/** Which agent to take. */
export function addRecommendRoute(routes: HttpServer, options: GatherOptions): void {
  routes.post(
    `${orchestraPrefix}/agents/recommend`,
    {
      config: { access: access.seesFlows },
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
      const requirements = readRequirements(body, { now: at, isEnterprise: principal.tier === 'enterprise' })
      const { candidates, market, workflows } = await gatherCandidates(options, requirements)
      requireKnown(requirements, candidates)
      const advice = recommendAgents(candidates, requirements, market)
      return describeAdvice(advice, requirements, { workflows, total: candidates.length, at })
    },
  )
}

/** A misspelt id would leave nobody out, and nobody would notice. */
function requireKnown({ excluded }: Requirements, candidates: readonly Candidate[]): void {
  const unknown = excluded.findIndex((id) => !candidates.some(({ agent }) => agent.id === id))
  if (unknown < 0) return
  throw invalidField({
    path: `requirements.exclude_agents[${unknown}]`,
    message: `names "${excluded[unknown]}", and there is no such agent`,
    code: 'value',
    part: 'body',
  })
}

type GatherOptions = Pick<OrchestraOptions, 'agents' | 'engine' | 'models'>

interface Gathered {
  readonly candidates: readonly Candidate[]
  readonly market: Market
  readonly workflows: readonly Flow[]
}

/** Most workflows that are looked at for similar ones. */
const maxWorkflows = 200

/** Collects what is known of all agents. */
async function gatherCandidates(
  { agents, engine, models }: GatherOptions,
  requirements: Requirements,
): Promise<Gathered> {
  const [listed, sums, records, catalogue, { flows: workflows }] = await Promise.all([
    agents.list(),
    engine.history.agents({ timeframe: '30d' }),
    engine.history.modelRecords(),
    models.catalogue.find(),
    engine.flows.list({ limit: maxWorkflows, offset: 0, withAgents: true }),
  ])
  // Agents that name no model are answered by the preferred providers first.
  const find = recommend.rememberLookups((name) =>
    models.findModel(name, { preferred: requirements.providers }),
  )
  const candidates = listed.map(async ({ definition: agent, status }) => {
    const known = { agent, status, record: recordOf(sums.get(agent.id)) }
    const model = asksModel(known) ? await find(agent.ai_options?.model ?? 'auto') : undefined
    return { ...known, model, estimate: estimateAgent({ ...known, model }, requirements) }
  })
  return { candidates: await Promise.all(candidates), market: { catalogue, records }, workflows }
}
