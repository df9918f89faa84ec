import type { Graph } from '../graph/graph.ts'
import type { ExecutionEnd } from '../store/commit.ts'
import type { Rules } from './rules.ts'

/**
 * The steps whose outputs are kept when an execution ends: with `track_intermediate_results: false` only those that no other step
 * depends on, which are the result. Undefined: all outputs are kept, always so for a failed execution, because it may be recovered.
 */
export function keptOutputs({
  rules,
  graph: { nodes, downstream },
  status,
}: {
  readonly rules: Pick<Rules, 'keepsOutputs'>
  readonly graph: Graph
  readonly status: ExecutionEnd['status']
}): readonly string[] | undefined {
  if (rules.keepsOutputs || status === 'failed') return undefined
  return nodes.filter(({ id }) => downstream(id).size === 0).map(({ id }) => id)
}
