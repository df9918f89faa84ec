import type { Pacer } from '../reading/pacer.ts'

/** A weighted edge between two nodes. */
export interface Edge {
  readonly a: number
  readonly b: number
  readonly weight: number
}

/** The damping factor of PageRank. */
const damping = 0.85
/** A fixed number, so that the result is deterministic; by then the shown digits no longer change. */
const rounds = 60

/** Ranks the nodes of a weighted graph by PageRank. */
export async function rankGraph(size: number, edges: readonly Edge[], pacer: Pacer): Promise<Float64Array> {
  const from = Uint32Array.from(edges, ({ a }) => a)
  const to = Uint32Array.from(edges, ({ b }) => b)
  const strength = new Float64Array(size)
  for (const { a, b, weight } of edges) {
    strength[a] = (strength[a] ?? 0) + weight
    strength[b] = (strength[b] ?? 0) + weight
  }
  const forth = Float64Array.from(edges, ({ a, weight }) => (damping * weight) / (strength[a] ?? 1))
  const back = Float64Array.from(edges, ({ b, weight }) => (damping * weight) / (strength[b] ?? 1))
  let ranks = new Float64Array(size).fill(1)
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(size).fill(1 - damping)
    for (let edge = 0; edge < edges.length; edge++) {
      const a = from[edge] ?? 0
      const b = to[edge] ?? 0
      next[b] = (next[b] ?? 0) + (ranks[a] ?? 0) * (forth[edge] ?? 0)
      next[a] = (next[a] ?? 0) + (ranks[b] ?? 0) * (back[edge] ?? 0)
    }
    ranks = next
    if (pacer.isDue()) await pacer.rest()
  }
  return ranks
}
