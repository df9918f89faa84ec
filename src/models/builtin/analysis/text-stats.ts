import type { Pacer } from '../reading/pacer.ts'
import type { Sentence, Word } from '../reading/sentences.ts'
import type { TextStats } from './readability-formulas.ts'

/** Whether a sentence is prose, not a heading or a table cell. */
export function isProse({ kind, words }: Sentence): boolean {
  return (kind === 'paragraph' || kind === 'item') && words.length > 0
}

export async function collectTextStats(
  prose: readonly Sentence[],
  { language, pacer }: { language: string | null; pacer: Pacer },
): Promise<TextStats> {
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

/** The number of letters and digits of a word, without hyphens and apostrophes. */
export function lettersOf(word: string): number {
  return word.search(others) < 0 ? word.length : word.replaceAll(others, '').length
}

/** Gunning does not count names, nor words whose third syllable is a suffix. */
function isComplex({ text, folded }: Word, index: number, countSyllables: CountSyllables): boolean {
  if (countSyllables(folded) < 3 || (index > 0 && /^\p{Lu}/u.test(text))) return false
  const stem = folded.replace(/(?:es|ed|ing)$/, '')
  return stem === folded || countSyllables(stem) >= 3
}

/** Counts the syllables of a folded word. */
type CountSyllables = (word: string) => number

/** Longer words are not words of a language. */
const maxWordLength = 40

const vowelsOf = (pattern: RegExp, prepare: (word: string) => string = (word) => word): CountSyllables => {
  return (word) => prepare(word).match(pattern)?.length ?? 0
}

/**
 * Counts syllables by vowel groups, for languages without a library. Exact for Russian and Turkish, where each vowel is a
 * syllable; a heuristic for the others.
 */
const rules: Readonly<Record<string, CountSyllables>> = {
  de: vowelsOf(/aa|ee|oo|ie|ei|ai|ey|ay|au|äu|eu|[aeiouyäöüéèà]/g, (word) => word.replaceAll('qu', 'q')),
  nl: vowelsOf(/aai|ooi|oei|eeu|ieu|aa|ee|oo|uu|ie|oe|eu|ui|ei|ij|au|ou|[aeiouyéèëïöüáó]/g, (word) =>
    word.replaceAll('qu', 'q'),
  ),
  es: vowelsOf(/[iuüy]*[aeoáéíóú][iuüy]*|[iuüy]+/g, (word) =>
    word
      .replaceAll(/([qg])u(?=[eiéí])/g, '$1')
      .replaceAll(/y(?=[aeiouáéíóú])/g, 'j')
      .replaceAll(/h/g, ''),
  ),
  pt: vowelsOf(/[iu]*(?:ão|ãe|õe|[aeoáéíóúâêôãõà])[iu]*|[iu]+/g, (word) =>
    word.replaceAll(/([qg])u(?=[eiéíê])/g, '$1'),
  ),
  fr: vowelsOf(/[iou]?[éèê]|[aeiouyàâëîïôûùœæ]+/g, (word) =>
    word.replaceAll('qu', 'q').replace(/(?<=[aeiouyàâéèêëîïôûùœæ].*[^aeiouyàâéèêëîïôûùœæ])e[s]?$/, ''),
  ),
  ru: vowelsOf(/[аеёиоуыэюя]/g),
  tr: vowelsOf(/[aeıioöuüâîû]/g),
}

/** The syllable counter of a language; undefined when there is none. Every word has at least one syllable. */
export async function loadSyllables(language: string): Promise<CountSyllables | undefined> {
  const count = language === 'en' ? (await import('syllable')).syllable : rules[language]
  if (count === undefined) return undefined
  const known = new Map<string, number>()
  return (word) => {
    const syllables = known.get(word) ?? Math.max(1, count(word.slice(0, maxWordLength)))
    known.set(word, syllables)
    return syllables
  }
}
