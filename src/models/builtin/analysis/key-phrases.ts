import type { Pacer } from '../reading/pacer.ts'
import { oneSignWord, type Run, type Term } from './content-terms.ts'
import { round } from './finding.ts'
import { type Edge, rankGraph } from './rank-graph.ts'

export interface KeyPhrase {
  readonly phrase: string
  /** Relative to the best phrase, which has 1. */
  readonly score: number
  readonly count: number
}

interface Candidate {
  readonly id: string
  readonly length: number
  readonly ranks: number
  readonly position: number
  count: number
  /** Occurs at least once as a whole run, not only as part of a longer one. */
  whole: boolean
}

const maxPhraseLength = 3

/**
 * The key phrases of a text, by the ranks of their words: score = sum of ranks / root of length × log2(1 + count). Equal scores
 * keep the order of the text.
 */
export async function keyPhrases(
  bySentence: readonly (readonly Run[])[],
  { limit, pacer }: { limit: number; pacer: Pacer },
): Promise<KeyPhrase[]> {
  const ranks = await rankWords(bySentence, pacer)
  const candidates = await findCandidates(bySentence, ranks, pacer)
  const scored = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .sort((left, right) => right.score - left.score || left.candidate.position - right.candidate.position)
  const chosen: typeof scored = []
  for (const entry of scored) {
    if (chosen.length === limit) break
    if (!chosen.some(({ candidate }) => repeats(entry.candidate, candidate))) chosen.push(entry)
  }
  const shown = await shownForms(bySentence, new Set(chosen.map(({ candidate }) => candidate.id)), pacer)
  const best = chosen[0]?.score ?? 1
  return chosen.map(({ candidate: { id, count }, score }) => ({
    phrase: shown.get(id) ?? id,
    score: round(score / best, 3),
    count,
  }))
}

async function findCandidates(
  bySentence: readonly (readonly Run[])[],
  ranks: ReadonlyMap<string, number>,
  pacer: Pacer,
): Promise<Candidate[]> {
  const found = new Map<string, Candidate>()
  for (const runs of bySentence) {
    for (const { id, terms, whole } of phrasesIn(runs)) {
      const known = found.get(id)
      if (known !== undefined) {
        known.count += 1
        known.whole ||= whole
      } else if (terms.every(({ key }) => ranks.has(key))) {
        const sum = terms.reduce((total, { key }) => total + (ranks.get(key) ?? 0), 0)
        found.set(id, { id, length: terms.length, ranks: sum, position: found.size, count: 1, whole })
      }
    }
    if (pacer.isDue()) await pacer.rest()
  }
  // A phrase that occurs once, inside a longer one, is accidental.
  return [...found.values()].filter(({ length, count, whole }) => length === 1 || count > 1 || whole)
}

/** The most frequent spelling of each phrase. */
async function shownForms(
  bySentence: readonly (readonly Run[])[],
  ids: ReadonlySet<string>,
  pacer: Pacer,
): Promise<Map<string, string>> {
  const forms = new Map<string, Map<string, number>>()
  for (const runs of bySentence) {
    for (const { id, terms } of phrasesIn(runs)) {
      if (!ids.has(id)) continue
      const form = terms.map(({ shown, gap }, index) => (index === 0 ? shown : gap + shown)).join('')
      const counts = forms.get(id) ?? new Map<string, number>()
      forms.set(id, counts.set(form, (counts.get(form) ?? 0) + 1))
    }
    if (pacer.isDue()) await pacer.rest()
  }
  return new Map([...forms].map(([id, counts]) => [id, mostFrequentForm(counts)]))
}

function mostFrequentForm(counts: ReadonlyMap<string, number>): string {
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0] ?? ''
}

function* phrasesIn(
  runs: readonly Run[],
): Generator<{ readonly id: string; readonly terms: readonly Term[]; readonly whole: boolean }, void, void> {
  for (const run of runs) {
    for (let start = 0; start < run.length; start++) {
      for (let length = 1; length <= maxPhraseLength && start + length <= run.length; length++) {
        const terms = run.slice(start, start + length)
        if (length === 1 && oneSignWord.test(terms[0]?.key ?? '')) continue
        yield { id: terms.map(({ key }) => key).join(' '), terms, whole: length === run.length }
      }
    }
  }
}

function scoreOf({ ranks, length, count }: Candidate): number {
  return (ranks / Math.sqrt(length)) * Math.log2(1 + count)
}

/** Whether one phrase contains the other and does not occur mostly without it. */
function repeats(candidate: Candidate, chosen: Candidate): boolean {
  const [long, short] = candidate.length > chosen.length ? [candidate, chosen] : [chosen, candidate]
  if (long.length === short.length || !` ${long.id} `.includes(` ${short.id} `)) return false
  return long === candidate ? long.count * 2 < short.count : short.count < long.count * 2
}

/** The bound on ranked words: the most frequent ones, in the order of the text. */
const maxWords = 2000
/** The number of following words in the sentence that a word is linked to. */
const linkDistance = 2

/** TextRank over the words of a text: words close to each other are linked. */
async function rankWords(
  bySentence: readonly (readonly Run[])[],
  pacer: Pacer,
): Promise<ReadonlyMap<string, number>> {
  const kept = await mostFrequent(bySentence, pacer)
  const indexes = new Map(kept.map((key, index) => [key, index]))
  const weights = new Map<number, number>()
  for (const runs of bySentence) {
    const line = runs.flat().flatMap(({ key }) => indexes.get(key) ?? [])
    for (const [position, a] of line.entries()) {
      for (const b of line.slice(position + 1, position + 1 + linkDistance)) {
        const pair = Math.min(a, b) * maxWords + Math.max(a, b)
        if (a !== b) weights.set(pair, (weights.get(pair) ?? 0) + 1)
      }
    }
    if (pacer.isDue()) await pacer.rest()
  }
  const edges: Edge[] = []
  for (const [pair, weight] of weights)
    edges.push({ a: Math.floor(pair / maxWords), b: pair % maxWords, weight })
  const ranks = await rankGraph(kept.length, edges, pacer)
  return new Map(kept.map((key, index) => [key, ranks[index] ?? 0]))
}

async function mostFrequent(bySentence: readonly (readonly Run[])[], pacer: Pacer): Promise<string[]> {
  const counts = new Map<string, number>()
  for (const runs of bySentence) {
    for (const run of runs) for (const { key } of run) counts.set(key, (counts.get(key) ?? 0) + 1)
    if (pacer.isDue()) await pacer.rest()
  }
  const byCount = [...counts].sort(([, left], [, right]) => right - left)
  return byCount.slice(0, maxWords).map(([key]) => key)
}
