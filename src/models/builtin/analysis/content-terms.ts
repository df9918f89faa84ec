import type { Pacer } from '../reading/pacer.ts'
import type { Sentence, Word } from '../reading/sentences.ts'
import type { IsStopWord } from './stop-words.ts'

/** A content word: not a stop word. */
export interface Term {
  readonly key: string
  readonly shown: string
  readonly gap: string
}

/** Consecutive terms, separated only by a space or a hyphen. */
export type Run = readonly Term[]

const maxWordLength = 40
const elided = /^\p{L}{1,7}'(?=\p{L}{2})/u
const elidingLanguages = new Set(['fr', 'it', 'ca', 'oc'])
/** A single character can be a word in Chinese and Japanese, but is more often the end of one: 阅览 and 室. */
export const oneSignWord = /^\p{Script=Han}$/u
const closeGap = /^[\s\p{Pd}]{0,2}$/u

/** The runs of terms of each sentence. */
export async function findRuns(
  sentences: readonly Sentence[],
  { isStopWord, language, pacer }: { isStopWord: IsStopWord; language: string | null; pacer: Pacer },
): Promise<Run[][]> {
  const bySentence: Run[][] = []
  for (const { words } of sentences) {
    const runs: Term[][] = []
    let run: Term[] = []
    const end = () => {
      if (run.length > 0) runs.push(run)
      run = []
    }
    for (const word of words) {
      const { term, followsStopWord } = termOf(word, isStopWord, language)
      if (term === undefined || followsStopWord || !closeGap.test(word.gap)) end()
      if (term !== undefined) run.push(term)
    }
    end()
    bySentence.push(runs)
    if (pacer.isDue()) await pacer.rest()
  }
  return bySentence
}

function termOf({ text, folded, gap }: Word, isStopWord: IsStopWord, language: string | null) {
  let key = folded
  let shown = text
  let followsStopWord = false
  if (language !== null && elidingLanguages.has(language) && elided.test(key) && !isStopWord(key)) {
    // "l'eau" is an article, which is a stop word, and a noun.
    key = key.replace(elided, '')
    shown = shown.slice(-key.length)
    followsStopWord = true
  }
  if (language === 'en') {
    key = key.replace(/'s$/, '')
    shown = shown.replace(/['’]s$/i, '')
  }
  const hasLength = (key.length > 1 || oneSignWord.test(key)) && key.length <= maxWordLength
  const says = hasLength && /^\p{L}/u.test(key) && !isStopWord(key)
  const isContraction = language === 'en' && key.includes("'")
  return { term: says && !isContraction ? { key, shown, gap } : undefined, followsStopWord }
}
