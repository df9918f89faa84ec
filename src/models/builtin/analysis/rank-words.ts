import type { Pacer } from '../reading/pacer.ts'
import type { Run } from './content-terms.ts'
import { rankGraph, type Tie } from './rank-graph.ts'

/** Words that are ranked; of more, the most frequent, and of those that are even, the first. */
const mostWords = 2000
/** Words that are tied to each one: as many as follow it in its sentence. */
const reach = 2

/** TextRank over the words of a text: two are tied when they stand near each other. */
export async function rankWords(
  bySentence: readonly (readonly Run[])[],
  pacer: Pacer,
): Promise<ReadonlyMap<string, number>> {
  const kept = await mostFrequent(bySentence, pacer)
  const indexes = new Map(kept.map((key, index) => [key, index]))
  const weights = new Map<number, number>()
  for (const runs of bySentence) {
    const line = runs.flat().flatMap(({ key }) => indexes.get(key) ?? [])
    for (const [position, a] of line.entries()) {
      for (const b of line.slice(position + 1, position + 1 + reach)) {
        const pair = Math.min(a, b) * mostWords + Math.max(a, b)
        if (a !== b) weights.set(pair, (weights.get(pair) ?? 0) + 1)
      }
    }
    if (pacer.isDue()) await pacer.rest()
  }
  const ties: Tie[] = []
  for (const [pair, weight] of weights)
    ties.push({ a: Math.floor(pair / mostWords), b: pair % mostWords, weight })
  const ranks = await rankGraph(kept.length, ties, pacer)
  return new Map(kept.map((key, index) => [key, ranks[index] ?? 0]))
}

async function mostFrequent(bySentence: readonly (readonly Run[])[], pacer: Pacer): Promise<string[]> {
  const counts = new Map<string, number>()
  for (const runs of bySentence) {
    for (const run of runs) for (const { key } of run) counts.set(key, (counts.get(key) ?? 0) + 1)
    if (pacer.isDue()) await pacer.rest()
  }
  const byCount = [...counts].sort(([, left], [, right]) => right - left)
  return byCount.slice(0, mostWords).map(([key]) => key)
}
