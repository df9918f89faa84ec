import { createPacer, type Pacer } from '../reading/pacer.ts'
import { readDocument } from '../reading/read-document.ts'
import { findSentences, type Sentence } from '../reading/sentences.ts'
import type { TextDocument } from '../reading/text-document.ts'
import { findRuns } from './content-terms.ts'
import { countText, type TextCounts } from './counts.ts'
import { detectLanguage, givenLanguage, type TextLanguage } from './detect-language.ts'
import { type Finding, round } from './finding.ts'
import { type KeyPhrase, keyPhrases } from './key-phrases.ts'
import { type Difficulty, formulasFor } from './readability-formulas.ts'
import { type SeoReport, seo } from './seo.ts'
import { loadStopWords } from './stop-words.ts'
import { structure, type TextStructure } from './structure.ts'
import { summarise } from './summarise.ts'
import { collectTextStats, isProse } from './text-stats.ts'

export interface AnalyseOptions {
  /** The title, when the text does not contain it. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** The keyword for the SEO checks. */
  readonly keyword?: string | undefined
  /** A language tag; detected by default. */
  readonly language?: string | undefined
  /** Detected by default. */
  readonly format?: TextDocument['format'] | undefined
  readonly maxSummarySentences?: number | undefined
  readonly maxKeyPhrases?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface TextAnalysis {
  readonly counts: TextCounts
  readonly language: TextLanguage | null
  readonly readability: Readability | null
  readonly keyPhrases: readonly KeyPhrase[]
  /** Sentences of the text, in their order. */
  readonly summary: readonly string[]
  readonly structure: TextStructure
  readonly sentiment: Sentiment | null
  readonly seo: SeoReport | null
  /** The reason for each of the above that is null. */
  readonly reasons: Readonly<Partial<Record<'language' | 'readability' | 'sentiment' | 'seo', string>>>
}

/**
 * Analyses a text without a language model. The result is deterministic, the work is bounded, and the event loop is never
 * blocked for long. Throws a RangeError for an invalid language tag, and the reason of the signal.
 */
export async function analyseText(text: string, options: AnalyseOptions = {}): Promise<TextAnalysis> {
  const { maxSummarySentences = 3, maxKeyPhrases = 10, signal, format } = options
  signal?.throwIfAborted()
  const pacer = createPacer(signal)
  const document = withGiven(await readDocument(text, { format, pacer }), options)
  const found = await languageOf(document, options.language)
  // An unreliable language would select the wrong formulas and stop words.
  const language = 'value' in found && found.value.reliable ? found.value.code : null
  const sentences = await findSentences(document.passages, { language, pacer })
  const runs = await findRuns(sentences, { isStopWord: await loadStopWords(language), language, pacer })
  const findings = {
    language: found,
    readability: await readability(sentences, { language, pacer }),
    sentiment: await sentiment(sentences, { language: valueOf(found), pacer }),
    seo: seo(document, sentences, { keyword: options.keyword, language }),
  }
  return {
    counts: await countText(text, { passages: document.passages, sentences, pacer }),
    language: valueOf(findings.language),
    readability: valueOf(findings.readability),
    keyPhrases: await keyPhrases(runs, { limit: maxKeyPhrases, pacer }),
    summary: await summarise(sentences, runs, { limit: maxSummarySentences, pacer }),
    structure: structure(document, sentences),
    sentiment: valueOf(findings.sentiment),
    seo: valueOf(findings.seo),
    reasons: Object.fromEntries(
      Object.entries(findings).flatMap(([name, finding]) =>
        'reason' in finding ? [[name, finding.reason]] : [],
      ),
    ),
  }
}

function withGiven(document: TextDocument, { title, description }: AnalyseOptions): TextDocument {
  return {
    ...document,
    title: title?.trim() || document.title,
    description: description?.trim() || document.description,
  }
}

async function languageOf(
  { passages }: TextDocument,
  given: string | undefined,
): Promise<Finding<TextLanguage>> {
  if (given !== undefined) return { value: givenLanguage(given) }
  return await detectLanguage(passages.map(({ text }) => text).join(' '))
}

function valueOf<T>(finding: Finding<T>): T | null {
  return 'value' in finding ? finding.value : null
}

interface ReadabilityValue {
  readonly formula: string
  readonly value: number
  /** The meaning of the score. */
  readonly scale: string
}

interface Readability {
  /** The formula for the language, else LIX. */
  readonly formula: string
  readonly score: number
  readonly difficulty: Difficulty | null
  readonly averageSyllables: number | null
  /** All computed formulas, the main one first. */
  readonly values: readonly ReadabilityValue[]
}

/** The formulas are not meaningful for shorter texts. */
const minWords = 20

/** The readability of a text, by the formula for its language. */
export async function readability(
  sentences: readonly Sentence[],
  { language, pacer }: { language: string | null; pacer: Pacer },
): Promise<Finding<Readability>> {
  const prose = sentences.filter(isProse)
  const words = prose
    .slice(0, 500)
    .flatMap((sentence) => sentence.words.slice(0, 100).map(({ folded }) => folded))
  const system = writingSystemOf(words)
  if (system === 'unspaced')
    return { reason: 'There is no formula for a script without spaces between words.' }
  if (system === 'syllabic') return { reason: 'There is no formula for a syllabic script.' }
  if (language === 'vi')
    return { reason: 'There is no formula for Vietnamese, which separates syllables by spaces.' }
  const stats = await collectTextStats(prose, { language, pacer })
  if (stats.words < minWords) return { reason: `There are fewer than ${minWords} words in sentences.` }
  const [main, ...others] = formulasFor(language)
  const values = [main, ...others].map((formula) => ({
    formula: formula.name,
    value: round(formula.compute(stats), 1),
    scale: formula.scale,
  }))
  const score = values[0]?.value ?? 0
  return {
    value: {
      formula: main.name,
      score,
      difficulty: main.difficulty?.(score) ?? null,
      averageSyllables: stats.syllables === null ? null : round(stats.syllables / stats.words),
      values,
    },
  }
}

/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const hangul = /\p{Script=Hangul}/u

/** The writing system of most words. `syllabic` has spaces, and a character for each syllable. */
function writingSystemOf(words: readonly string[]): 'spaced' | 'unspaced' | 'syllabic' {
  const share = (script: RegExp) => words.filter((word) => script.test(word)).length / words.length
  if (share(unspaced) > 0.5) return 'unspaced'
  return share(hangul) > 0.5 ? 'syllabic' : 'spaced'
}

interface ScoredSentence {
  readonly text: string
  readonly score: number
}

interface Sentiment {
  readonly label: 'positive' | 'negative' | 'neutral'
  /** From -1 to 1: the mean of the sentences, weighted by their words. */
  readonly score: number
  /** The number of scored sentences. */
  readonly sentences: number
  readonly mostPositive: readonly ScoredSentence[]
  readonly mostNegative: readonly ScoredSentence[]
}

/** Of a longer text, this many evenly distributed sentences are scored. */
const maxScored = 4000
/** The score from which a text is positive, or negative below its negation. */
const threshold = 0.1
const maxExamples = 3
const maxShownLength = 300

/** The sentiment of a text, for English only, which is the language of the library. */
export async function sentiment(
  sentences: readonly Sentence[],
  { language, pacer }: { language: TextLanguage | null; pacer: Pacer },
): Promise<Finding<Sentiment>> {
  if (language === null || !language.reliable) {
    return { reason: 'Sentiment is scored for English only, and the language of this text is uncertain.' }
  }
  if (language.code !== 'en') {
    return { reason: `Sentiment is scored for English only, and this text is ${language.name}.` }
  }
  const prose = sentences.filter(isProse)
  if (prose.length === 0) return { reason: 'There are no sentences.' }
  const { scoreEnglish } = await import('./english-sentiment.ts')
  const step = Math.max(1, prose.length / maxScored)
  const scored: (ScoredSentence & { readonly words: number })[] = []
  for (let at = 0; at < prose.length; at += step) {
    const sentence = prose[Math.floor(at)]
    if (sentence === undefined) break
    scored.push({ text: sentence.text, score: scoreEnglish(sentence.text), words: sentence.words.length })
    if (pacer.isDue()) await pacer.rest()
  }
  const words = scored.reduce((sum, each) => sum + each.words, 0)
  const score = round(scored.reduce((sum, each) => sum + each.score * each.words, 0) / words, 3)
  const label = score >= threshold ? 'positive' : score <= -threshold ? 'negative' : 'neutral'
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
    .slice(0, maxExamples)
    .map(({ text, score }) => ({ text: shorten(text), score: round(score, 3) }))
}

function shorten(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength - 1).trimEnd()}…` : text
}
