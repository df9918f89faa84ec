import type { Flow } from '#engine'
import { access, criteria, invalidField } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../api.ts'
import type { OrchestraOptions } from '../route-options.ts'
import type { Market } from './alternatives.ts'
import { type Candidate, recordOf, usesModel } from './candidate.ts'
import { describeAdvice } from './describe.ts'
import { estimateAgent } from './estimate.ts'
import { recommendAgents } from './recommend.ts'
import { RecommendRequest } from './request.ts'
import { type Requirements, readRequirements } from './requirements.ts'
import { RecommendResponse } from './schemas.ts'

/** Recommends agents. */
export function addRecommendRoute(routes: HttpServer, options: RecommendOptions): void {
  routes.post(
    `${orchestraPrefix}/agents/recommend`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'recommendAgents',
        summary: 'Recommend agents',
        description:
          'Scores every agent by the request and by its runs of the last 30 days. `requirements` exclude agents, with the reasons; `preferences` change the weights. Nothing is run.',
        body: RecommendRequest,
        response: { 200: RecommendResponse },
      },
    },
    async ({ body, principal }) => {
      const at = new Date()
      const requirements = readRequirements(body, { now: at, isEnterprise: principal.tier === 'enterprise' })
      const { candidates, market, workflows } = await readCandidates(options, requirements)
      requireKnownAgents(requirements, candidates)
      const advice = recommendAgents(candidates, requirements, market)
      return describeAdvice(advice, requirements, { workflows, total: candidates.length, at })
    },
  )
}

/** A misspelt id would exclude no agent, and the caller would not notice. */
function requireKnownAgents({ excluded }: Requirements, candidates: readonly Candidate[]): void {
  const unknown = excluded.findIndex((id) => !candidates.some(({ agent }) => agent.id === id))
  if (unknown < 0) return
  throw invalidField({
    path: `requirements.exclude_agents[${unknown}]`,
    message: `names "${excluded[unknown]}", and there is no such agent`,
    code: 'value',
  })
}

type RecommendOptions = Pick<OrchestraOptions, 'agents' | 'engine' | 'models'>

interface Candidates {
  readonly candidates: readonly Candidate[]
  readonly market: Market
  readonly workflows: readonly Flow[]
}

/** Maximum workflows searched for similar ones. */
const maxWorkflows = 200

/** Reads all agents with their track record, model and estimate. */
async function readCandidates(
  { agents, engine, models }: RecommendOptions,
  requirements: Requirements,
): Promise<Candidates> {
  const [listed, sums, records, catalogue, providerNames, { flows: workflows }] = await Promise.all([
    agents.list(),
    engine.history.agents({ timeframe: '30d' }),
    engine.history.modelRecords(),
    models.catalogue.find(),
    models.providers.names(),
    engine.flows.list({ limit: maxWorkflows, offset: 0, withAgents: true }),
  ])
  // Agents without a model use the preferred providers first.
  const find = criteria.rememberLookups((name) =>
    models.findModel(name, { preferred: requirements.providers }),
  )
  const candidates = listed.map(async ({ definition: agent, status }) => {
    const known = { agent, status, record: recordOf(sums.get(agent.id)) }
    const model = usesModel(known) ? await find(agent.ai_options?.model ?? 'auto') : undefined
    return { ...known, model, estimate: estimateAgent({ ...known, model }, requirements) }
  })
  return {
    candidates: await Promise.all(candidates),
    market: { catalogue, records, providerNames },
    workflows,
  }
}
