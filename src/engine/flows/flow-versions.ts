import type { Database } from '#kernel/database'
import type { FlowDefinition } from '../definition/flow.ts'
import { type Graph, readGraph } from '../graph/graph.ts'

/** Definitions by flow and version. A version never changes, so what was read once is good for ever. */
export interface FlowVersions {
  read(flowId: string, version: number): Promise<FlowDefinition>
  /** The graph of a definition that was read. */
  graphOf(definition: FlowDefinition): Graph
}

const mostRemembered = 500

export function createFlowVersions(database: Pick<Database, 'query'>): FlowVersions {
  const remembered = new Map<string, Promise<FlowDefinition>>()
  const graphs = new WeakMap<FlowDefinition, Graph>()

  async function load(flowId: string, version: number): Promise<FlowDefinition> {
    const [row] = await database.query<{ definition: FlowDefinition }>(
      'select definition from engine_flow_versions where flow_id = $1 and version = $2',
      [flowId, version],
    )
    if (row === undefined) throw new Error(`flow ${flowId} has no version ${version}`)
    return row.definition
  }

  return {
    read(flowId, version) {
      const name = `${version} ${flowId}`
      const known = remembered.get(name)
      if (known !== undefined) return known
      const loading = load(flowId, version)
      remembered.set(name, loading)
      // What could not be read is asked for again.
      loading.catch(() => remembered.delete(name))
      const [oldest] = remembered.keys()
      if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest)
      return loading
    },
    graphOf(definition) {
      const graph = graphs.get(definition) ?? readGraph(definition.steps)
      graphs.set(definition, graph)
      return graph
    },
  }
}
