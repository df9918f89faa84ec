import type { Pacer } from '../reading/pacer.ts'
import type { Sentence } from '../reading/sentences.ts'
import type { Run } from './content-terms.ts'
import { type Edge, rankGraph } from './rank-graph.ts'
import { isProse } from './text-stats.ts'

interface Entry {
  readonly position: number
  readonly text: string
  readonly keys: ReadonlySet<string>
  readonly frequency: number
}

/** The bound on compared sentences: only sentences with the most frequent words are compared. */
const maxCompared = 300
/** The length of sentences for a summary. */
const minWords = 4
const maxWords = 60
/** The bound for sentences of other lengths, which are used when there are no suitable ones. */
const maxChars = 1000
/** The share of common words from which two sentences count as repeated. */
const repeatThreshold = 0.8

/** Summarises a text by TextRank over its sentences, in the order of the text. */
export async function summarise(
  sentences: readonly Sentence[],
  bySentence: readonly (readonly Run[])[],
  { limit, pacer }: { limit: number; pacer: Pacer },
): Promise<string[]> {
  const entries = comparable(await entriesOf(sentences, bySentence, pacer))
  if (entries.length <= limit) return withoutRepeats(entries, limit)
  const edges: Edge[] = []
  for (const [a, left] of entries.entries()) {
    for (let b = a + 1; b < entries.length; b++) {
      const right = entries[b]
      const weight = right === undefined ? 0 : similarity(left, right)
      if (weight > 0) edges.push({ a, b, weight })
    }
    if (pacer.isDue()) await pacer.rest()
  }
  const ranks = await rankGraph(entries.length, edges, pacer)
  const ranked = entries
    .map((entry, index) => ({ entry, rank: ranks[index] ?? 0 }))
    // Rounded, so that equally ranked sentences keep the order of the text.
    .sort(
      (left, right) =>
        Math.round((right.rank - left.rank) * 1e6) || left.entry.position - right.entry.position,
    )
  return withoutRepeats(
    ranked.map(({ entry }) => entry),
    limit,
  )
}

async function entriesOf(
  sentences: readonly Sentence[],
  bySentence: readonly (readonly Run[])[],
  pacer: Pacer,
): Promise<Entry[]> {
  const frequencies = new Map<string, number>()
  for (const runs of bySentence) {
    for (const run of runs) for (const { key } of run) frequencies.set(key, (frequencies.get(key) ?? 0) + 1)
    if (pacer.isDue()) await pacer.rest()
  }
  const entries: Entry[] = []
  const unsuitable: Entry[] = []
  for (const [position, sentence] of sentences.entries()) {
    if (!isProse(sentence)) continue
    const { text, words } = sentence
    const keys = new Set((bySentence[position] ?? []).flat().map(({ key }) => key))
    const sum = [...keys].reduce((total, key) => total + (frequencies.get(key) ?? 0), 0)
    const entry = { position, text, keys, frequency: sum / Math.max(1, keys.size) }
    if (words.length >= minWords && words.length <= maxWords) entries.push(entry)
    else if (text.length <= maxChars) unsuitable.push(entry)
    if (pacer.isDue()) await pacer.rest()
  }
  return entries.length > 0 ? entries : unsuitable
}

function comparable(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length <= maxCompared) return entries
  return [...entries]
    .sort((left, right) => right.frequency - left.frequency || left.position - right.position)
    .slice(0, maxCompared)
    .sort((left, right) => left.position - right.position)
}

/** Common words, normalised by length, because long sentences share words by chance. */
function similarity({ keys: left }: Entry, { keys: right }: Entry): number {
  if (left.size < 2 || right.size < 2) return 0
  return sharedBy(left, right) / (Math.log2(left.size) + Math.log2(right.size))
}

function sharedBy(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const key of left) if (right.has(key)) shared += 1
  return shared
}

function withoutRepeats(ranked: readonly Entry[], limit: number): string[] {
  const chosen: Entry[] = []
  for (const entry of ranked) {
    if (chosen.length === limit) break
    if (!chosen.some((other) => repeats(entry, other))) chosen.push(entry)
  }
  return chosen.sort((left, right) => left.position - right.position).map(({ text }) => text)
}

function repeats({ keys: left, text }: Entry, { keys: right, text: other }: Entry): boolean {
  const shared = sharedBy(left, right)
  const all = left.size + right.size - shared
  return text === other || (all > 0 && shared / all >= repeatThreshold)
}
