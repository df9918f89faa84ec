import type { Graph } from '../graph/graph.ts'

/**
 * Finds whether one step comes before another, transitively. The steps before each one are stored as bits, so comparing every pair of a
 * dense graph takes no longer than reading it once.
 */
export function createAncestry({ nodes, byId }: Graph): (earlier: string, later: string) => boolean {
  const size = Math.ceil(nodes.length / 32)
  const known = new Map<string, Uint32Array>()

  function before(id: string): Uint32Array {
    const found = known.get(id)
    if (found !== undefined) return found
    const places = new Uint32Array(size)
    for (const earlier of byId.get(id)?.after ?? []) {
      const theirs = before(earlier)
      for (let word = 0; word < size; word += 1) places[word] = (places[word] ?? 0) | (theirs[word] ?? 0)
      const place = byId.get(earlier)?.position ?? 0
      places[place >>> 5] = (places[place >>> 5] ?? 0) | (1 << (place & 31))
    }
    known.set(id, places)
    return places
  }

  return (earlier, later) => {
    const place = byId.get(earlier)?.position
    return place !== undefined && ((before(later)[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0
  }
}
