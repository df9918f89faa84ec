import type { Pacer } from '../reading/pacer.ts'
import type { Sentence, Word } from '../reading/sentences.ts'
import type { TextMeasure } from './readability-formulas.ts'
import { type CountSyllables, loadSyllables } from './syllables.ts'

/** Whether it is a sentence of prose: a heading or a cell of a table is none. */
export function isProse({ kind, words }: Sentence): boolean {
  return (kind === 'paragraph' || kind === 'item') && words.length > 0
}

export async function measureText(
  prose: readonly Sentence[],
  { language, pacer }: { language: string | null; pacer: Pacer },
): Promise<TextMeasure> {
  const countSyllables = language === null ? undefined : await loadSyllables(language)
  let [words, letters, longWords, syllables, complexWords] = [0, 0, 0, 0, 0]
  for (const sentence of prose) {
    for (const [index, word] of sentence.words.entries()) {
      const length = lettersOf(word.folded)
      words += 1
      letters += length
      if (length > 6) longWords += 1
      if (countSyllables === undefined) continue
      syllables += countSyllables(word.folded)
      if (language === 'en' && isComplex(word, index, countSyllables)) complexWords += 1
    }
    if (pacer.isDue()) await pacer.rest()
  }
  const counted = countSyllables === undefined ? null : syllables
  return { words, sentences: prose.length, letters, longWords, syllables: counted, complexWords }
}

const others = /[^\p{L}\p{N}]/gu

/** Letters and digits of a word, which may have a hyphen or an apostrophe. */
export function lettersOf(word: string): number {
  return word.search(others) < 0 ? word.length : word.replaceAll(others, '').length
}

/** Gunning counts no names, and no words that have a third syllable only by their ending. */
function isComplex({ text, folded }: Word, index: number, countSyllables: CountSyllables): boolean {
  if (countSyllables(folded) < 3 || (index > 0 && /^\p{Lu}/u.test(text))) return false
  const stem = folded.replace(/(?:es|ed|ing)$/, '')
  return stem === folded || countSyllables(stem) >= 3
}
