/** Counts the syllables of a folded word. */
export type CountSyllables = (word: string) => number

/** A word that is longer is no word of a language. */
const longestWord = 40

const vowelsOf = (pattern: RegExp, prepare: (word: string) => string = (word) => word): CountSyllables => {
  return (word) => prepare(word).match(pattern)?.length ?? 0
}

/**
 * How syllables are counted where no library does: by the vowels that sound by themselves. Exact for Russian and Turkish, where
 * each vowel is a syllable; for the others a rule of thumb that is right for most words.
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

/** The counter for a language, or undefined when there is none. Every word has one syllable at least. */
export async function loadSyllables(language: string): Promise<CountSyllables | undefined> {
  const count = language === 'en' ? (await import('syllable')).syllable : rules[language]
  if (count === undefined) return undefined
  const known = new Map<string, number>()
  return (word) => {
    const syllables = known.get(word) ?? Math.max(1, count(word.slice(0, longestWord)))
    known.set(word, syllables)
    return syllables
  }
}
