import type { Pacer } from '../reading/pacer.ts'
import { oneSignWord, type Run, type Term } from './content-terms.ts'
import { round } from './judgement.ts'
import { rankWords } from './rank-words.ts'

export interface KeyPhrase {
  readonly phrase: string
  /** Against the best one, which has 1. */
  readonly score: number
  readonly count: number
}

interface Candidate {
  readonly id: string
  readonly length: number
  readonly ranks: number
  readonly place: number
  count: number
  /** Stands by itself somewhere, and not only as a part of something longer. */
  whole: boolean
}

const longestPhrase = 3

/**
 * What a text is about: phrases by the ranks of their words, score = sum of ranks / root of length × log2(1 + count).
 * What is even comes in the order of the text.
 */
export async function keyPhrases(
  bySentence: readonly (readonly Run[])[],
  { most, pacer }: { most: number; pacer: Pacer },
): Promise<KeyPhrase[]> {
  const ranks = await rankWords(bySentence, pacer)
  const candidates = await findCandidates(bySentence, ranks, pacer)
  const scored = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .sort((left, right) => right.score - left.score || left.candidate.place - right.candidate.place)
  const chosen: typeof scored = []
  for (const entry of scored) {
    if (chosen.length === most) break
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
        found.set(id, { id, length: terms.length, ranks: sum, place: found.size, count: 1, whole })
      }
    }
    if (pacer.isDue()) await pacer.rest()
  }
  // What was seen once, inside of something longer, was put together by chance.
  return [...found.values()].filter(({ length, count, whole }) => length === 1 || count > 1 || whole)
}

/** How each phrase is mostly written. */
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
  return new Map([...forms].map(([id, counts]) => [id, mostly(counts)]))
}

function mostly(counts: ReadonlyMap<string, number>): string {
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0] ?? ''
}

function* phrasesIn(
  runs: readonly Run[],
): Generator<{ readonly id: string; readonly terms: readonly Term[]; readonly whole: boolean }, void, void> {
  for (const run of runs) {
    for (let start = 0; start < run.length; start++) {
      for (let length = 1; length <= longestPhrase && start + length <= run.length; length++) {
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

/** Of a phrase and a part of it, the second to come is new only when it mostly stands without the first. */
function repeats(candidate: Candidate, chosen: Candidate): boolean {
  const [long, short] = candidate.length > chosen.length ? [candidate, chosen] : [chosen, candidate]
  if (long.length === short.length || !` ${long.id} `.includes(` ${short.id} `)) return false
  return long === candidate ? long.count * 2 < short.count : short.count < long.count * 2
}
