import { createPacer } from '../reading/pacer.ts'
import { readDocument } from '../reading/read-document.ts'
import { findSentences } from '../reading/sentences.ts'
import type { TextDocument } from '../reading/text-document.ts'
import { findRuns } from './content-terms.ts'
import { countText, type TextCounts } from './counts.ts'
import { detectLanguage, givenLanguage, type TextLanguage } from './detect-language.ts'
import type { Judgement } from './judgement.ts'
import { type KeyPhrase, keyPhrases } from './key-phrases.ts'
import { type Readability, readability } from './readability.ts'
import { type Sentiment, sentiment } from './sentiment.ts'
import { type SeoReport, seo } from './seo.ts'
import { loadStopWords } from './stop-words.ts'
import { structure, type TextStructure } from './structure.ts'
import { summarise } from './summarise.ts'

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
  const judged = {
    language: found,
    readability: await readability(sentences, { language, pacer }),
    sentiment: await sentiment(sentences, { language: valueOf(found), pacer }),
    seo: seo(document, sentences, { keyword: options.keyword, language }),
  }
  return {
    counts: await countText(text, { passages: document.passages, sentences, pacer }),
    language: valueOf(judged.language),
    readability: valueOf(judged.readability),
    keyPhrases: await keyPhrases(runs, { most: maxKeyPhrases, pacer }),
    summary: await summarise(sentences, runs, { most: maxSummarySentences, pacer }),
    structure: structure(document, sentences),
    sentiment: valueOf(judged.sentiment),
    seo: valueOf(judged.seo),
    reasons: Object.fromEntries(
      Object.entries(judged).flatMap(([name, judgement]) =>
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
): Promise<Judgement<TextLanguage>> {
  if (given !== undefined) return { value: givenLanguage(given) }
  return await detectLanguage(passages.map(({ text }) => text).join(' '))
}

function valueOf<T>(judgement: Judgement<T>): T | null {
  return 'value' in judgement ? judgement.value : null
}
