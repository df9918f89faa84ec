import type { Sentence } from '../reading/sentences.ts'
import type { TextDocument } from '../reading/text-document.ts'
import type { Judgement } from './judgement.ts'
import { createKeywordFinder, type KeywordUse } from './keyword.ts'
import { contentChecks } from './seo-content-checks.ts'
import { keywordChecks } from './seo-keyword-checks.ts'
import { pageChecks } from './seo-page-checks.ts'

export interface SeoCheck {
  readonly id: string
  readonly passed: boolean
  readonly message: string
  /** How much it counts in the score. */
  readonly weight: number
}

export interface SeoReport {
  /** 100 × weights of the checks that passed / weights of all that were made, rounded. */
  readonly score: number
  readonly title: string | null
  readonly description: string | null
  readonly keyword: KeywordUse | null
  /** Only what the text allows to judge: without images there is no check of their texts. */
  readonly checks: readonly SeoCheck[]
}

/** What all the checks look at. */
export interface SeoSubject {
  readonly document: TextDocument
  readonly sentences: readonly Sentence[]
  readonly words: number
}

/** What a search engine would want of a text, as far as the text tells. */
export function seo(
  document: TextDocument,
  sentences: readonly Sentence[],
  { language, keyword }: { readonly language: string | null; readonly keyword?: string | undefined },
): Judgement<SeoReport> {
  const words = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0)
  if (words === 0) return { reason: 'There are no words.' }
  const finder = keyword === undefined ? undefined : createKeywordFinder(keyword, language)
  const subject: SeoSubject = { document, sentences, words }
  const checks = [
    ...pageChecks(subject),
    ...contentChecks(subject),
    ...(finder === undefined ? [] : keywordChecks(subject, finder)),
  ]
  const total = weightOf(checks)
  const score = Math.round((100 * weightOf(checks.filter(({ passed }) => passed))) / total)
  const { title, description } = document
  return { value: { score, title, description, keyword: finder?.useIn(sentences) ?? null, checks } }
}

function weightOf(checks: readonly SeoCheck[]): number {
  return checks.reduce((sum, { weight }) => sum + weight, 0)
}
