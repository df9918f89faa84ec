import { criteria, units } from '#executions-api'
import type { CatalogueEntry, Models } from '#models'
import type { Agent } from '../../agents/agent.ts'
import type { AgentStats } from '../../agents/agent-stats.ts'
import { noPrice } from '../../agents/pricing.ts'

interface AgentDetails {
  readonly stats: AgentStats | null
  /** The model it would call. */
  readonly model: CatalogueEntry | undefined
}

/** An agent in a list. */
export function describeAgent(agent: Agent, { stats, model }: AgentDetails) {
  const { definition } = agent
  return {
    id: agent.id,
    label: definition.label,
    description: definition.description,
    category: definition.category,
    status: agent.status,
    version: String(agent.version),
    capabilities: [...definition.capabilities],
    supported_languages: [...definition.supported_languages],
    input_types: [...definition.input_types],
    output_format: definition.output_format,
    configuration: { ...definition.configuration },
    performance_metrics: stats,
    pricing: { ...(definition.pricing ?? noPrice) },
    model: model === undefined ? null : describeModel(model),
    works_without_model: definition.analysis_output !== undefined,
    built_in: agent.builtIn,
    owner_id: agent.ownerId,
    created_at: units.epochSeconds(agent.createdAt),
    updated_at: units.epochSeconds(agent.updatedAt),
  }
}

/** An agent with everything that was saved. */
export function describeWholeAgent(agent: Agent, details: AgentDetails) {
  return {
    ...describeAgent(agent, details),
    revision: agent.version,
    current_revision: agent.currentVersion,
    agent_definition: agent.definition,
    note: agent.note,
    saved_at: units.epochSeconds(agent.savedAt),
    saved_by: agent.savedBy,
  }
}

export function describeVersion(agent: Agent) {
  return {
    version: String(agent.version),
    revision: agent.version,
    current: agent.version === agent.currentVersion,
    label: agent.definition.label,
    note: agent.note,
    saved_at: units.epochSeconds(agent.savedAt),
    saved_by: agent.savedBy,
  }
}

/** Prices are stored in micro-dollars per million tokens. */
function describeModel({ provider, model, price }: CatalogueEntry) {
  const prices = price.source === 'unpriced' ? undefined : price.prices
  return {
    provider,
    id: model.id,
    input_cost: prices === undefined ? null : prices.input / 1e6,
    output_cost: prices === undefined ? null : prices.output / 1e6,
  }
}

/** Finds the model each agent would use, and looks every name up once. */
export function createModelFinder({ findModel }: Pick<Models, 'findModel'>) {
  const find = criteria.rememberLookups((name) => findModel(name))
  return async ({ definition }: Agent): Promise<CatalogueEntry | undefined> =>
    definition.prompt === undefined ? undefined : await find(definition.ai_options?.model ?? 'auto')
}
