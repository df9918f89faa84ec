import { type Sentence, type Word, wordFolder } from '../reading/sentences.ts'
import { round } from './judgement.ts'

export interface KeywordUse {
  readonly keyword: string
  readonly occurrences: number
  /** Percent of the words of the text that belong to it. */
  readonly density: number
}

/** Finds a keyword of one or more words in texts of a language, whatever its case. */
export interface KeywordFinder {
  readonly keyword: string
  isIn(text: string): boolean
  useIn(sentences: readonly Sentence[]): KeywordUse
  isInWords(words: readonly Word[]): boolean
}

/** Undefined for a keyword without a word. */
export function createKeywordFinder(keyword: string, language: string | null): KeywordFinder | undefined {
  const wordsOf = wordFolder(language)
  const keys = wordsOf(keyword)
  if (keys.length === 0) return undefined

  function occurrencesIn(words: readonly string[]): number {
    let found = 0
    for (let start = 0; start + keys.length <= words.length; start++) {
      if (!keys.every((key, index) => words[start + index] === key)) continue
      found += 1
      start += keys.length - 1
    }
    return found
  }

  return {
    keyword: keyword.trim(),
    isIn: (text) => occurrencesIn(wordsOf(text)) > 0,
    isInWords: (words) => occurrencesIn(words.map(({ folded }) => folded)) > 0,
    useIn(sentences) {
      const words = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0)
      const occurrences = sentences.reduce(
        (sum, sentence) => sum + occurrencesIn(sentence.words.map(({ folded }) => folded)),
        0,
      )
      const density = words === 0 ? 0 : round((100 * occurrences * keys.length) / words, 2)
      return { keyword: keyword.trim(), occurrences, density }
    },
  }
}
