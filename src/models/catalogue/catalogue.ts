import { type Static, Type } from 'typebox'
import type { ClusterFacts, ClusterModel, ClusterView } from '../cluster/cluster-facts.ts'
import { namespaceOf } from './namespace-of.ts'

export const catalogueModelSchema = Type.Object(
  {
    id: Type.String({ description: 'The name to ask for it by.' }),
    object: Type.Literal('model'),
    created: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Seconds since 1970: since when a node has it as it is, the earliest of them. Null when none says.',
    }),
    owned_by: Type.String({ description: 'The namespace in its name; `library` when it has none.' }),
    provider: Type.Literal('ollama', { description: 'Who answers with it: the nodes of the cluster.' }),
    loaded: Type.Boolean({ description: 'Whether one of `nodes` has it in memory.' }),
    nodes: Type.Array(Type.String(), {
      description: 'Ids of the healthy nodes that have it; empty while none can be asked.',
    }),
    size: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Bytes on disk; null when no node says.',
    }),
    capabilities: Type.Array(Type.String(), {
      description: 'What it can do, such as `completion`, `tools` or `vision`; empty when no node says.',
    }),
  },
  { description: 'A model.' },
)

type CatalogueModel = Static<typeof catalogueModelSchema>

/** Every model there is, whoever provides it. */
export interface Catalogue {
  /** By id, each once. */
  list(): Promise<CatalogueModel[]>
}

export function createCatalogue({ cluster }: { readonly cluster: ClusterView }): Catalogue {
  return {
    list: async () => describeModels(await cluster.read()),
  }
}

function describeModels({ models, nodes }: ClusterFacts): CatalogueModel[] {
  const healthy = new Set(nodes.filter(({ status }) => status === 'healthy').map(({ id }) => id))
  return models
    .map((model) => describeModel(model, healthy))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
}

function describeModel(model: ClusterModel, healthy: ReadonlySet<string>): CatalogueModel {
  return {
    id: model.name,
    object: 'model',
    created: epochSeconds(model.modified_at ?? null),
    owned_by: namespaceOf(model.name),
    provider: 'ollama',
    loaded: model.loaded_on.some((node) => healthy.has(node)),
    nodes: model.nodes.filter((node) => healthy.has(node)).sort(),
    size: model.size,
    capabilities: model.capabilities ?? [],
  }
}

function epochSeconds(time: string | null): number | null {
  const milliseconds = time === null ? Number.NaN : Date.parse(time)
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000)
}
