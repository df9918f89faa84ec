import type { Pacer } from '../reading/pacer.ts'

/** How strongly two of the things to be ranked belong together. */
export interface Tie {
  readonly a: number
  readonly b: number
  readonly weight: number
}

/** The usual share of a rank that is passed on. */
const passedOn = 0.85
/** Always as many, so that the same graph gives the same ranks; by then they no longer change in the digits that are shown. */
const rounds = 60

/** Ranks things by their ties, as pages are ranked by their links: what is tied to much that is tied to much comes first. */
export async function rankGraph(size: number, ties: readonly Tie[], pacer: Pacer): Promise<Float64Array> {
  const from = Uint32Array.from(ties, ({ a }) => a)
  const to = Uint32Array.from(ties, ({ b }) => b)
  const strength = new Float64Array(size)
  for (const { a, b, weight } of ties) {
    strength[a] = (strength[a] ?? 0) + weight
    strength[b] = (strength[b] ?? 0) + weight
  }
  const forth = Float64Array.from(ties, ({ a, weight }) => (passedOn * weight) / (strength[a] ?? 1))
  const back = Float64Array.from(ties, ({ b, weight }) => (passedOn * weight) / (strength[b] ?? 1))
  let ranks = new Float64Array(size).fill(1)
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(size).fill(1 - passedOn)
    for (let tie = 0; tie < ties.length; tie++) {
      const a = from[tie] ?? 0
      const b = to[tie] ?? 0
      next[b] = (next[b] ?? 0) + (ranks[a] ?? 0) * (forth[tie] ?? 0)
      next[a] = (next[a] ?? 0) + (ranks[b] ?? 0) * (back[tie] ?? 0)
    }
    ranks = next
    if (pacer.isDue()) await pacer.rest()
  }
  return ranks
}
