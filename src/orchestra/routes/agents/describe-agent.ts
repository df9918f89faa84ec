import type { CatalogueEntry } from '#models'
import { epochSeconds } from '#runs'
import type { Agent } from '../../agents/agent.ts'
import type { Measured } from '../../agents/measured.ts'
import { noPrice } from '../../agents/pricing.ts'

interface Known {
  readonly measured: Measured | null
  /** The model it would ask. */
  readonly model: CatalogueEntry | undefined
}

/** An agent as it is listed. */
export function describeAgent(agent: Agent, { measured, model }: Known) {
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
    performance_metrics: measured,
    pricing: { ...(definition.pricing ?? noPrice) },
    model: model === undefined ? null : describeModel(model),
    works_without_model: definition.analysis_output !== undefined,
    built_in: agent.builtIn,
    owner_id: agent.ownerId,
    created_at: epochSeconds(agent.createdAt),
    updated_at: epochSeconds(agent.updatedAt),
  }
}

/** An agent with everything that was saved. */
export function describeWholeAgent(agent: Agent, known: Known) {
  return {
    ...describeAgent(agent, known),
    revision: agent.version,
    current_revision: agent.currentVersion,
    agent_definition: agent.definition,
    note: agent.note,
    saved_at: epochSeconds(agent.savedAt),
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
    saved_at: epochSeconds(agent.savedAt),
    saved_by: agent.savedBy,
  }
}

/** Prices are kept in micro-dollars for a million tokens. */
function describeModel({ provider, model, price }: CatalogueEntry) {
  const prices = price.source === 'unpriced' ? undefined : price.prices
  return {
    provider,
    id: model.id,
    input_cost: prices === undefined ? null : prices.input / 1e6,
    output_cost: prices === undefined ? null : prices.output / 1e6,
  }
}
