import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { FlowDefinition } from '../definition/flow.ts'
import { type Graph, readGraph } from '../graph/graph.ts'

/** A cache of definitions by flow and version. A version never changes, so entries never expire. */
export interface FlowVersions {
  read(flowId: string, version: number): Promise<FlowDefinition>
  /** Reads inside a transaction, on its connection: waiting for another connection could deadlock the pool. */
  readInside(transaction: Executor, flowId: string, version: number): Promise<FlowDefinition>
  /** The graph of a definition from this cache. */
  graphOf(definition: FlowDefinition): Graph
}

const maxRemembered = 500

export function createFlowVersions(database: Pick<Database, 'query'>): FlowVersions {
  const remembered = new Map<string, FlowDefinition>()
  const loading = new Map<string, Promise<FlowDefinition>>()
  const graphs = new WeakMap<FlowDefinition, Graph>()

  async function load(executor: Executor, flowId: string, version: number): Promise<FlowDefinition> {
    const [row] = await runStatement<{ definition: FlowDefinition }>(
      executor,
      'select definition from engine_flow_versions where flow_id = $1 and version = $2',
      [flowId, version],
    )
    if (row === undefined) throw new Error(`flow ${flowId} has no version ${version}`)
    const name = nameOf(flowId, version)
    const definition = remembered.get(name) ?? row.definition
    remembered.set(name, definition)
    const [oldest] = remembered.keys()
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
    return definition
  }

  return {
    async read(flowId, version) {
      const name = nameOf(flowId, version)
      const known = remembered.get(name)
      if (known !== undefined) return known
      // Concurrent callers share one query.
      const asked = loading.get(name) ?? load(database, flowId, version).finally(() => loading.delete(name))
      loading.set(name, asked)
      return await asked
    },
    async readInside(transaction, flowId, version) {
      return remembered.get(nameOf(flowId, version)) ?? (await load(transaction, flowId, version))
    },
    graphOf(definition) {
      const graph = graphs.get(definition) ?? readGraph(definition.steps)
      graphs.set(definition, graph)
      return graph
    },
  }
}

function nameOf(flowId: string, version: number): string {
  return `${version} ${flowId}`
}
