import { scoreQuality } from '#engine'
import type { TextAnalysis } from '#models'

/** The results of the text analysis under the analyser names of agents. */
export const fromAnalysis = {
  language({ analysis: { language, reasons } }: Subject): Finding {
    if (language === null) return { code: null, name: null, reliable: false, reason: reasons.language ?? '' }
    const { code, name, reliable } = language
    return { code, name, reliable, reason: reliable ? null : 'It is not sure which language it is.' }
  },

  length({ analysis: { counts } }: Subject): Finding {
    const { characters, words, sentences, paragraphs, averageSentenceWords, readingSeconds } = counts
    return {
      characters,
      words,
      sentences,
      paragraphs,
      average_sentence_words: averageSentenceWords,
      reading_seconds: readingSeconds,
    }
  },

  readability({ analysis: { readability, reasons, counts } }: Subject): Finding {
    const averages = {
      average_sentence_words: counts.averageSentenceWords,
      average_word_letters: counts.averageWordLetters,
    }
    if (readability === null) {
      const reason = reasons.readability ?? ''
      return {
        score: null,
        formula: null,
        difficulty: 'not judged',
        values: [],
        ...averages,
        advice: [],
        reason,
      }
    }
    const { score, formula, difficulty, values } = readability
    const hard = difficulty === 'difficult' || difficulty === 'very difficult'
    const advice = [
      ...(counts.averageSentenceWords > 20
        ? [
            `Sentences have ${counts.averageSentenceWords} words on average; those of up to 20 are easier to follow.`,
          ]
        : []),
      ...(hard ? ['Use shorter words, and say one thing in a sentence.'] : []),
    ]
    return {
      score,
      formula,
      difficulty: difficulty ?? 'not judged',
      values,
      ...averages,
      advice,
      reason: null,
    }
  },

  structure({ analysis: { structure } }: Subject): Finding {
    const { findings } = structure
    return {
      format: structure.format,
      headings: structure.headings,
      heading_count: structure.headingCount,
      paragraphs: structure.paragraphs,
      lists: structure.lists,
      tables: structure.tables,
      links: structure.linkCount,
      images: structure.imageCount,
      images_without_alt: structure.imagesWithoutAlt,
      findings: findings.map(({ message }) => message),
    }
  },

  async quality({ text, signal }: Subject): Promise<Finding> {
    const { score, checks } = await scoreQuality(text, { signal })
    const describe = (weak: boolean) =>
      checks.flatMap((check) =>
        check.score !== null && check.score < 80 === weak ? [`${check.check}: ${check.why}`] : [],
      )
    return {
      score,
      checks,
      strengths: describe(false),
      weaknesses: describe(true),
      verdict: gradeOf(score),
      reason: score === null ? (checks[0]?.why ?? 'There is no text.') : null,
    }
  },

  seo({ analysis: { seo, reasons } }: Subject): Finding {
    if (seo === null) {
      const reason = reasons.seo ?? ''
      return { score: null, verdict: 'not judged', passed: [], failed: [], issues: [], keyword: null, reason }
    }
    const failed = seo.checks.filter(({ passed }) => !passed)
    return {
      score: seo.score,
      verdict: gradeOf(seo.score),
      title: seo.title,
      description: seo.description,
      keyword: seo.keyword,
      passed: seo.checks.filter(({ passed }) => passed).map(({ message }) => message),
      failed: failed.map(({ message }) => message),
      issues: failed
        .toSorted((left, right) => right.weight - left.weight)
        .map(({ id, message, weight }) => ({
          issue: message,
          severity: weight >= 10 ? 'high' : 'medium',
          rule: id,
        })),
      reason: null,
    }
  },

  key_phrases({ analysis: { keyPhrases, counts } }: Subject): Finding {
    const ranked = keyPhrases.map(({ phrase, score, count }) => ({
      phrase,
      score,
      count,
      density:
        counts.words === 0
          ? 0
          : Math.round(((count * phrase.split(/\s+/).length) / counts.words) * 10_000) / 100,
    }))
    return {
      phrases: ranked.map(({ phrase }) => phrase),
      ranked,
      reason: ranked.length === 0 ? 'There are no words to tell topics by.' : null,
    }
  },

  summary({ analysis: { summary }, text }: Subject): Finding {
    // A text without a sentence is its own summary.
    const sentences = summary.length === 0 ? [text.trim()] : [...summary]
    const reason = summary.length === 0 ? 'No sentence is fit for a summary.' : null
    return { text: sentences.join(' '), sentences, reason }
  },

  sentiment({ analysis: { sentiment, reasons } }: Subject): Finding {
    if (sentiment === null) {
      const reason = reasons.sentiment ?? ''
      return { label: 'not judged', score: null, most_positive: [], most_negative: [], reason }
    }
    const { label, score, mostPositive, mostNegative } = sentiment
    return {
      label,
      score,
      most_positive: mostPositive.map(({ text }) => text),
      most_negative: mostNegative.map(({ text }) => text),
      reason: null,
    }
  },
} as const

/** The grade of a score from 0 to 100. */
function gradeOf(score: number | null): 'good' | 'fair' | 'poor' | 'not judged' {
  if (score === null) return 'not judged'
  if (score >= 80) return 'good'
  return score >= 60 ? 'fair' : 'poor'
}

/** The input of an analyser. */
export interface Subject {
  readonly text: string
  readonly analysis: TextAnalysis
  /** The value of the parameter that the analyser names; empty without one. */
  readonly parameter: string
  readonly signal: AbortSignal
}

/** The result of an analyser, as JSON. `reason` says why nothing could be measured. */
export type Finding = Readonly<Record<string, unknown>> & { readonly reason?: string | null }

/** An issue with a passage of the text. */
export interface Issue {
  readonly rule: string
  readonly severity: 'high' | 'medium' | 'low'
  readonly excerpt: string
  readonly message: string
}

export const maxIssues = 50
const maxExcerptLength = 160

/** An excerpt long enough to find the passage again. */
export function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= maxExcerptLength ? line : `${line.slice(0, maxExcerptLength - 1)}…`
}

/** `fail` with an issue of high severity, `review` with one of medium severity. */
export function outcomeOf(issues: readonly Issue[]): 'pass' | 'review' | 'fail' {
  if (issues.some(({ severity }) => severity === 'high')) return 'fail'
  return issues.some(({ severity }) => severity === 'medium') ? 'review' : 'pass'
}
