import type { Pacer } from '../reading/pacer.ts'
import type { Sentence } from '../reading/sentences.ts'
import type { Run } from './content-terms.ts'
import { isProse } from './measure-text.ts'
import { rankGraph, type Tie } from './rank-graph.ts'

interface Entry {
  readonly place: number
  readonly text: string
  readonly keys: ReadonlySet<string>
  readonly frequency: number
}

/** Sentences that are compared with one another; of more, those with the most frequent words. */
const mostCompared = 300
/** Shorter ones say too little, longer ones are no summary. */
const fewestWords = 4
const mostWords = 60
/** When a text has no others, they are taken all the same, up to here. */
const mostChars = 1000
/** Two sentences that share this much of their words say the same. */
const same = 0.8

/** The sentences that say most of what the others say, in the order of the text: TextRank over sentences. */
export async function summarise(
  sentences: readonly Sentence[],
  bySentence: readonly (readonly Run[])[],
  { most, pacer }: { most: number; pacer: Pacer },
): Promise<string[]> {
  const entries = comparable(await entriesOf(sentences, bySentence, pacer))
  if (entries.length <= most) return withoutRepeats(entries, most)
  const ties: Tie[] = []
  for (const [a, left] of entries.entries()) {
    for (let b = a + 1; b < entries.length; b++) {
      const right = entries[b]
      const weight = right === undefined ? 0 : likeness(left, right)
      if (weight > 0) ties.push({ a, b, weight })
    }
    if (pacer.isDue()) await pacer.rest()
  }
  const ranks = await rankGraph(entries.length, ties, pacer)
  const ranked = entries
    .map((entry, index) => ({ entry, rank: ranks[index] ?? 0 }))
    // Rounded, so that sentences that are as good as each other come in the order of the text.
    .sort((left, right) => Math.round((right.rank - left.rank) * 1e6) || left.entry.place - right.entry.place)
  return withoutRepeats(
    ranked.map(({ entry }) => entry),
    most,
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
  const unfitting: Entry[] = []
  for (const [place, sentence] of sentences.entries()) {
    if (!isProse(sentence)) continue
    const { text, words } = sentence
    const keys = new Set((bySentence[place] ?? []).flat().map(({ key }) => key))
    const sum = [...keys].reduce((total, key) => total + (frequencies.get(key) ?? 0), 0)
    const entry = { place, text, keys, frequency: sum / Math.max(1, keys.size) }
    if (words.length >= fewestWords && words.length <= mostWords) entries.push(entry)
    else if (text.length <= mostChars) unfitting.push(entry)
    if (pacer.isDue()) await pacer.rest()
  }
  return entries.length > 0 ? entries : unfitting
}

function comparable(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length <= mostCompared) return entries
  return [...entries]
    .sort((left, right) => right.frequency - left.frequency || left.place - right.place)
    .slice(0, mostCompared)
    .sort((left, right) => left.place - right.place)
}

/** Shared words, against how long the two are: long ones share words by chance. */
function likeness({ keys: left }: Entry, { keys: right }: Entry): number {
  if (left.size < 2 || right.size < 2) return 0
  return sharedBy(left, right) / (Math.log2(left.size) + Math.log2(right.size))
}

function sharedBy(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const key of left) if (right.has(key)) shared += 1
  return shared
}

function withoutRepeats(ranked: readonly Entry[], most: number): string[] {
  const chosen: Entry[] = []
  for (const entry of ranked) {
    if (chosen.length === most) break
    if (!chosen.some((other) => saysTheSame(entry, other))) chosen.push(entry)
  }
  return chosen.sort((left, right) => left.place - right.place).map(({ text }) => text)
}

function saysTheSame({ keys: left, text }: Entry, { keys: right, text: other }: Entry): boolean {
  const shared = sharedBy(left, right)
  const all = left.size + right.size - shared
  return text === other || (all > 0 && shared / all >= same)
}
