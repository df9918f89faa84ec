import type { Graph } from '../graph/graph.ts'

/** The longest time through the steps that are left, when everything that can runs side by side. */
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
