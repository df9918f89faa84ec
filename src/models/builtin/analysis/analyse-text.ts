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
  /** What stands above the text, when that is not in the text itself. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** What the text is to be found by. */
  readonly keyword?: string | undefined
  /** A language tag, for those who know; else it is detected. */
  readonly language?: string | undefined
  /** For those who know; else it is guessed from the text. */
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
  /** Sentences of the text, in its order. */
  readonly summary: readonly string[]
  readonly structure: TextStructure
  readonly sentiment: Sentiment | null
  readonly seo: SeoReport | null
  /** For each of the above that is null, why. */
  readonly reasons: Readonly<Partial<Record<'language' | 'readability' | 'sentiment' | 'seo', string>>>
}

/**
 * Everything that can be found out about a text by reading, counting and comparing. The same text always gives the same
 * answer. The event loop is never held for long, and the work is bounded, whatever the text. Throws a RangeError for a
 * language that is no tag, and the reason of the signal.
 */
export async function analyseText(text: string, options: AnalyseOptions = {}): Promise<TextAnalysis> {
  const { maxSummarySentences = 3, maxKeyPhrases = 10, signal, format } = options
  signal?.throwIfAborted()
  const pacer = createPacer(signal)
  const document = withGiven(await readDocument(text, { format, pacer }), options)
  const found = await languageOf(document, options.language)
  // What was only guessed would choose the wrong formulas and lists.
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
    keyPhrases: await keyPhrases(runs, { most: maxKeyPhrases, pacer }),
    summary: await summarise(sentences, runs, { most: maxSummarySentences, pacer }),
    structure: structure(document, sentences),
    sentiment: valueOf(findings.sentiment),
    seo: valueOf(findings.seo),
    reasons: Object.fromEntries(
      Object.entries(findings).flatMap(([name, judgement]) =>
        'reason' in judgement ? [[name, judgement.reason]] : [],
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

function valueOf<T>(judgement: Finding<T>): T | null {
  return 'value' in judgement ? judgement.value : null
}

interface ReadabilityValue {
  readonly formula: string
  readonly value: number
  /** What the number means. */
  readonly scale: string
}

interface Readability {
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
): Promise<Finding<Readability>> {
  const prose = sentences.filter(isProse)
  const words = prose
    .slice(0, 500)
    .flatMap((sentence) => sentence.words.slice(0, 100).map(({ folded }) => folded))
  const system = writingSystemOf(words)
  if (system === 'unspaced') return { reason: 'No formula fits a script without blanks between words.' }
  if (system === 'syllabic') return { reason: 'No formula fits a script with a sign for each syllable.' }
  if (language === 'vi') return { reason: 'No formula fits Vietnamese, which has blanks between syllables.' }
  const measure = await collectTextStats(prose, { language, pacer })
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

/** Scripts that put no blanks between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const hangul = /\p{Script=Hangul}/u

/** How most of the words are written. `syllabic` has blanks, and a sign for each syllable. */
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
  /** From -1 to 1: the mean of the sentences, each weighed by its words. */
  readonly score: number
  /** How many sentences were scored. */
  readonly sentences: number
  readonly mostPositive: readonly ScoredSentence[]
  readonly mostNegative: readonly ScoredSentence[]
}

/** Of more sentences, as many are scored, evenly taken from the whole text. */
const maxScored = 4000
/** From here on a text leans to one side. */
const leaning = 0.1
const shownEach = 3
const maxShownLength = 300

/** How a text sounds. For English, which is what the library knows. */
export async function sentiment(
  sentences: readonly Sentence[],
  { language, pacer }: { language: TextLanguage | null; pacer: Pacer },
): Promise<Finding<Sentiment>> {
  if (language === null || !language.reliable) {
    return { reason: 'Sentiment is judged for English alone, and the language of this text is not sure.' }
  }
  if (language.code !== 'en') {
    return { reason: `Sentiment is judged for English alone, and this text is ${language.name}.` }
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
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength - 1).trimEnd()}…` : text
}
