import type { Graph } from '../graph/graph.ts'

/** The duration of the longest path through the remaining steps, when all ready steps run in parallel. */
export function longestPathMs({ nodes, byId }: Graph, durationOf: (id: string) => number): number {
  const known = new Map<string, number>()

  function endOf(id: string): number {
    const before = known.get(id)
    if (before !== undefined) return before
    const starts = [...(byId.get(id)?.after ?? [])].map(endOf)
    const end = Math.max(0, ...starts) + durationOf(id)
    known.set(id, end)
    return end
  }

  return Math.max(0, ...nodes.map(({ id }) => endOf(id)))
}
