import type { Pacer } from '../reading/pacer.ts'
import type { Sentence } from '../reading/sentences.ts'
import type { TextDocument } from '../reading/text-document.ts'
import { round } from './finding.ts'
import { isProse, lettersOf } from './text-stats.ts'

export interface TextCounts {
  /** Unicode characters of the source, markup included. */
  readonly characters: number
  /** All words outside code. */
  readonly words: number
  /** Sentences of paragraphs and lists. */
  readonly sentences: number
  readonly paragraphs: number
  readonly averageSentenceWords: number
  readonly averageWordLetters: number
  readonly readingSeconds: number
}

/** The silent reading rate of adults for English non-fiction (Brysbaert, 2019); an approximation for other languages. */
const wordsPerMinute = 238

export async function countText(
  source: string,
  {
    passages,
    sentences,
    pacer,
  }: { passages: TextDocument['passages']; sentences: readonly Sentence[]; pacer: Pacer },
): Promise<TextCounts> {
  let words = 0
  let letters = 0
  for (const sentence of sentences) {
    words += sentence.words.length
    for (const { folded } of sentence.words) letters += lettersOf(folded)
    if (pacer.isDue()) await pacer.rest()
  }
  const prose = sentences.filter(isProse)
  const proseWords = prose.reduce((sum, sentence) => sum + sentence.words.length, 0)
  return {
    characters: charactersOf(source),
    words,
    sentences: prose.length,
    paragraphs: passages.filter(({ kind }) => kind === 'paragraph').length,
    averageSentenceWords: prose.length === 0 ? 0 : round(proseWords / prose.length, 1),
    averageWordLetters: words === 0 ? 0 : round(letters / words, 1),
    readingSeconds: Math.round((words * 60) / wordsPerMinute),
  }
}

/** The number of characters; a surrogate pair counts as one. */
export function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff](?=[\udc00-\udfff])/g)?.length ?? 0)
}
