import type { Pacer } from '../reading/pacer.ts'
import type { Sentence } from '../reading/sentences.ts'
import { type Judgement, round } from './judgement.ts'
import { isProse, measureText } from './measure-text.ts'
import { type Difficulty, formulasFor } from './readability-formulas.ts'
import { writingSystemOf } from './writing-system.ts'

interface ReadabilityValue {
  readonly formula: string
  readonly value: number
  /** What the number means. */
  readonly scale: string
}

export interface Readability {
  /** The formula that was made for the language, or LIX. */
  readonly formula: string
  readonly score: number
  readonly difficulty: Difficulty | null
  readonly averageSyllables: number | null
  /** All that were computed, the one above first. */
  readonly values: readonly ReadabilityValue[]
}

/** Fewer words say nothing about a text. */
const fewWords = 20

/** How hard a text is to read, by the formula for its language. */
export async function readability(
  sentences: readonly Sentence[],
  { language, pacer }: { language: string | null; pacer: Pacer },
): Promise<Judgement<Readability>> {
  const prose = sentences.filter(isProse)
  const words = prose
    .slice(0, 500)
    .flatMap((sentence) => sentence.words.slice(0, 100).map(({ folded }) => folded))
  const system = writingSystemOf(words)
  if (system === 'unspaced') return { reason: 'No formula fits a script without blanks between words.' }
  if (system === 'syllabic') return { reason: 'No formula fits a script with a sign for each syllable.' }
  if (language === 'vi') return { reason: 'No formula fits Vietnamese, which has blanks between syllables.' }
  const measure = await measureText(prose, { language, pacer })
  if (measure.words < fewWords) return { reason: `There are fewer than ${fewWords} words in sentences.` }
  const [main, ...others] = formulasFor(language)
  const values = [main, ...others].map((formula) => ({
    formula: formula.name,
    value: round(formula.compute(measure), 1),
    scale: formula.scale,
  }))
  const score = values[0]?.value ?? 0
  return {
    value: {
      formula: main.name,
      score,
      difficulty: main.difficulty?.(score) ?? null,
      averageSyllables: measure.syllables === null ? null : round(measure.syllables / measure.words),
      values,
    },
  }
}
