/** The input of the formulas. */
export interface TextStats {
  readonly words: number
  readonly sentences: number
  readonly letters: number
  /** Words of more than six letters. */
  readonly longWords: number
  /** Null for languages without a syllable counter. */
  readonly syllables: number | null
  /** English words of three or more syllables. */
  readonly complexWords: number
}

export type Difficulty = 'very easy' | 'easy' | 'medium' | 'difficult' | 'very difficult'

export interface Formula {
  readonly name: string
  /** The meaning of the score. */
  readonly scale: string
  compute(stats: TextStats): number
  /** Only where the authors of the formula define it. */
  readonly difficulty?: (value: number) => Difficulty
}

const difficulties: readonly Difficulty[] = ['very easy', 'easy', 'medium', 'difficult', 'very difficult']

/** The first difficulty whose bound is reached. */
function bands(...bounds: readonly number[]): (value: number) => Difficulty {
  return (value) => difficulties[bounds.findIndex((bound) => value >= bound)] ?? 'very difficult'
}

/** The Flesch reading ease, with weights that were determined for each language. */
function reading(name: string, base: number, perSentenceWord: number, perSyllable: number): Formula {
  return {
    name,
    scale: 'from 0 (very difficult) to 100 (very easy)',
    compute: ({ words, sentences, syllables }) =>
      base - perSentenceWord * (words / sentences) - perSyllable * ((syllables ?? 0) / words),
    difficulty: bands(90, 70, 50, 30),
  }
}

/** Björnsson, 1968: needs no syllables, so it works for any language with spaces between words. */
const lix: Formula = {
  name: 'LIX',
  scale: 'from 20 (very easy) to 60 (very difficult)',
  compute: ({ words, sentences, longWords }) => words / sentences + (100 * longWords) / words,
  difficulty: (value) => bands(-30, -40, -50, -60)(-value),
}

const fleschKincaid: Formula = {
  name: 'Flesch–Kincaid grade',
  scale: 'in years of school',
  compute: ({ words, sentences, syllables }) =>
    0.39 * (words / sentences) + 11.8 * ((syllables ?? 0) / words) - 15.59,
}

const gunningFog: Formula = {
  name: 'Gunning fog',
  scale: 'in years of school',
  compute: ({ words, sentences, complexWords }) => 0.4 * (words / sentences + (100 * complexWords) / words),
}

const gulpease: Formula = {
  name: 'Gulpease',
  scale: 'from 0 (very difficult) to 100 (very easy)',
  compute: ({ words, sentences, letters }) => 89 + (300 * sentences - 10 * letters) / words,
  // Below 80, 60 and 40 it is difficult with a primary, a middle and a high school education.
  difficulty: bands(100, 80, 60, 40),
}

/** The first formula gives the score; the others are additional values. */
const formulas: Readonly<Record<string, readonly Formula[]>> = {
  en: [reading('Flesch reading ease', 206.835, 1.015, 84.6), fleschKincaid, gunningFog],
  de: [reading('Flesch reading ease (Amstad)', 180, 1, 58.5)],
  es: [reading('Lecturabilidad (Fernández Huerta)', 206.84, 1.02, 60)],
  fr: [reading('Flesch reading ease (Kandel and Moles)', 207, 1.015, 73.6)],
  it: [gulpease],
  nl: [reading('Leesgemak (Douma)', 206.84, 0.93, 77)],
  pt: [reading('Flesch reading ease (Martins)', 248.835, 1.015, 84.6)],
  ru: [reading('Flesch reading ease (Oborneva)', 206.835, 1.3, 60.1)],
  tr: [reading('Okunabilirlik (Ateşman)', 198.825, 2.61, 40.175)],
}

/** The formulas for a language, and LIX. */
export function formulasFor(language: string | null): readonly [Formula, ...Formula[]] {
  const [first, ...others] = (language === null ? undefined : formulas[language]) ?? []
  return first === undefined ? [lix] : [first, ...others, lix]
}
