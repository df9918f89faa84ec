import type { Flow } from '#engine'
import type { CatalogueEntry } from '#models'
import type { OrchestraOptions } from '../route-options.ts'
import type { Market } from './alternatives.ts'
import { asksModel, type Candidate } from './candidate.ts'
import { estimateAgent } from './estimate.ts'
import { recordOf } from './record.ts'
import type { Wishes } from './wishes.ts'

export type GatherOptions = Pick<OrchestraOptions, 'agents' | 'engine' | 'models'>

interface Gathered {
  readonly candidates: readonly Candidate[]
  readonly market: Market
  readonly workflows: readonly Flow[]
}

/** Most workflows that are looked at for similar ones. */
const mostWorkflows = 200

/** Collects what is known of all agents. */
export async function gatherCandidates(
  { agents, engine, models }: GatherOptions,
  wishes: Wishes,
): Promise<Gathered> {
  const [listed, sums, records, catalogue, { flows: workflows }] = await Promise.all([
    agents.list(),
    engine.history.agents({ timeframe: '30d' }),
    engine.history.modelRecords(),
    models.catalogue.find(),
    engine.flows.list({ limit: mostWorkflows, offset: 0, withAgents: true }),
  ])
  const find = rememberModels(models, wishes)
  const candidates = listed.map(async ({ definition: agent, status }) => {
    const known = { agent, status, record: recordOf(sums.get(agent.id)) }
    const model = asksModel(known) ? await find(agent.ai_options?.model ?? 'auto') : undefined
    return { ...known, model, estimate: estimateAgent({ ...known, model }, wishes) }
  })
  return { candidates: await Promise.all(candidates), market: { catalogue, records }, workflows }
}

/** Many agents ask for the same few names; where they name none, the providers that are preferred are asked first. */
function rememberModels({ findModel }: GatherOptions['models'], { providers }: Wishes) {
  const found = new Map<string, Promise<CatalogueEntry | undefined>>()
  return (name: string) => {
    const known = found.get(name) ?? findModel(name, { preferred: providers })
    found.set(name, known)
    return known
  }
}
