import type { Pacer } from '../reading/pacer.ts'
import type { Sentence } from '../reading/sentences.ts'
import type { TextLanguage } from './detect-language.ts'
import { type Judgement, round } from './judgement.ts'
import { isProse } from './measure-text.ts'

interface ScoredSentence {
  readonly text: string
  readonly score: number
}

export interface Sentiment {
  readonly label: 'positive' | 'negative' | 'neutral'
  /** From -1 to 1: the mean of the sentences, each weighed by its words. */
  readonly score: number
  /** How many sentences were scored. */
  readonly sentences: number
  readonly mostPositive: readonly ScoredSentence[]
  readonly mostNegative: readonly ScoredSentence[]
}

/** Of more sentences, as many are scored, evenly taken from the whole text. */
const mostScored = 4000
/** From here on a text leans to one side. */
const leaning = 0.1
const shownEach = 3
const longestShown = 300

/** How a text sounds. For English, which is what the library knows. */
export async function sentiment(
  sentences: readonly Sentence[],
  { language, pacer }: { language: TextLanguage | null; pacer: Pacer },
): Promise<Judgement<Sentiment>> {
  if (language === null || !language.reliable) {
    return { reason: 'Sentiment is judged for English alone, and the language of this text is not sure.' }
  }
  if (language.code !== 'en') {
    return { reason: `Sentiment is judged for English alone, and this text is ${language.name}.` }
  }
  const prose = sentences.filter(isProse)
  if (prose.length === 0) return { reason: 'There are no sentences.' }
  const { scoreEnglish } = await import('./english-sentiment.ts')
  const step = Math.max(1, prose.length / mostScored)
  const scored: (ScoredSentence & { readonly words: number })[] = []
  for (let at = 0; at < prose.length; at += step) {
    const sentence = prose[Math.floor(at)]
    if (sentence === undefined) break
    scored.push({ text: sentence.text, score: scoreEnglish(sentence.text), words: sentence.words.length })
    if (pacer.isDue()) await pacer.rest()
  }
  const words = scored.reduce((sum, each) => sum + each.words, 0)
  const score = round(scored.reduce((sum, each) => sum + each.score * each.words, 0) / words, 3)
  const label = score >= leaning ? 'positive' : score <= -leaning ? 'negative' : 'neutral'
  return {
    value: {
      label,
      score,
      sentences: scored.length,
      mostPositive: strongest(scored, 1),
      mostNegative: strongest(scored, -1),
    },
  }
}

function strongest(scored: readonly ScoredSentence[], direction: 1 | -1): ScoredSentence[] {
  return scored
    .filter(({ score }) => score * direction > 0)
    .sort((left, right) => (right.score - left.score) * direction)
    .slice(0, shownEach)
    .map(({ text, score }) => ({ text: shorten(text), score: round(score, 3) }))
}

function shorten(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown - 1).trimEnd()}…` : text
}
