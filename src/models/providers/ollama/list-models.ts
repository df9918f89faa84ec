import type { RoutedModel } from '#cluster'
import { namespaceOf } from '../../catalogue/namespace-of.ts'
import type { ClusterFacts, ClusterModel } from '../../cluster/cluster-facts.ts'
import type { ProvidedModel } from '../provider.ts'
import type { ModelDetails } from './model-details.ts'

/** Ids of the nodes that can be asked now. */
export function healthyNodes({ nodes }: ClusterFacts): ReadonlySet<string> {
  return new Set(nodes.filter(({ status }) => status === 'healthy').map(({ id }) => id))
}

/** A model as the cluster tells of it. */
export function describeClusterModel(model: ClusterModel, healthy: ReadonlySet<string>): ProvidedModel {
  const nodes = model.nodes.filter((node) => healthy.has(node)).sort()
  return {
    id: model.name,
    ownedBy: namespaceOf(model.name),
    created: epochSeconds(model.modified_at == null ? Number.NaN : Date.parse(model.modified_at)),
    available: nodes.length > 0,
    loaded: model.loaded_on.some((node) => healthy.has(node)),
    nodes,
    size: model.size,
    capabilities: model.capabilities ?? [],
    contextLength: null,
    maxOutputTokens: null,
  }
}

/** A model that is reached without the cluster: none of the nodes it knows has it. */
export function describeRoutedModel(model: RoutedModel): ProvidedModel {
  return {
    id: model.name,
    ownedBy: namespaceOf(model.name),
    created: epochSeconds(model.modifiedAt?.getTime() ?? Number.NaN),
    available: true,
    loaded: model.loaded,
    nodes: [],
    size: model.size,
    capabilities: model.capabilities ?? [],
    contextLength: model.contextLength,
    maxOutputTokens: null,
  }
}

/** All of them, each once, by id; the later win. */
export function mergeModels(...lists: readonly (readonly ProvidedModel[])[]): readonly ProvidedModel[] {
  const byId = new Map(lists.flat().map((model) => [model.id, model]))
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

/** What was said already holds; the rest is filled in. */
export function addDetails(model: ProvidedModel, details: ModelDetails | undefined): ProvidedModel {
  if (details === undefined) return model
  return {
    ...model,
    capabilities: model.capabilities.length > 0 ? model.capabilities : (details.capabilities ?? []),
    contextLength: model.contextLength ?? details.contextLength,
  }
}

function epochSeconds(milliseconds: number): number | null {
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000)
}
