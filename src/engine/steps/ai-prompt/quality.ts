import { analyseText, type TextAnalysis } from '#models'

type QualityCheck = 'readability' | 'structure' | 'seo' | 'language' | 'length' | 'sentiment'

interface ScoredCheck {
  readonly check: QualityCheck
  /** 0 to 100; null when the text cannot be scored. */
  readonly score: number | null
  readonly why: string
}

export interface Quality {
  /** 0 to 100: the weighted mean of the checks with a score; null without any. */
  readonly score: number | null
  readonly checks: readonly ScoredCheck[]
}

interface QualityOptions {
  /** Default: the checks that apply to any text, so neither SEO nor sentiment. */
  readonly checks?: readonly QualityCheck[] | undefined
  /** The expected language of the text: its tag, or its English name. */
  readonly language?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const weights: Readonly<Record<QualityCheck, number>> = {
  readability: 4,
  structure: 3,
  length: 2,
  language: 1,
  seo: 3,
  sentiment: 1,
}
const defaultChecks: readonly QualityCheck[] = ['readability', 'structure', 'length', 'language']

/** Shorter texts are not scored. */
const minWords = 20
const enoughWords = 50
const perFinding = 15

/** Only the beginning of a long text is scored. */
const maxCharacters = 200_000

/** Scores the quality of a text, with a reason for every check. The README has the formula. Throws when the signal aborts. */
export async function scoreQuality(
  text: string,
  { checks = defaultChecks, language, signal }: QualityOptions = {},
): Promise<Quality> {
  const analysis = await analyseText(text.slice(0, maxCharacters), { signal })
  const scored = checks.map((check) => ({ check, ...scorers[check](analysis, language) }))
  if (analysis.counts.words < minWords) {
    const why = `The text has ${analysis.counts.words} words; at least ${minWords} are needed for a score.`
    return { score: null, checks: scored.map(({ check }) => ({ check, score: null, why })) }
  }
  return { score: meanOf(scored), checks: scored }
}

type Scorer = (analysis: TextAnalysis, language: string | undefined) => Omit<ScoredCheck, 'check'>

const scoreOfDifficulty = {
  'very easy': 100,
  easy: 100,
  medium: 85,
  difficult: 60,
  'very difficult': 35,
} as const

const scorers: Readonly<Record<QualityCheck, Scorer>> = {
  readability({ readability, reasons }) {
    if (readability === null) return { score: null, why: reasons.readability ?? '' }
    const { difficulty, formula, score } = readability
    if (difficulty === null) return { score: null, why: `${formula} has no levels.` }
    return { score: scoreOfDifficulty[difficulty], why: `${difficulty} to read (${formula} ${score})` }
  },
  structure({ structure: { findings } }) {
    const why = findings.length === 0 ? 'no findings' : findings.map(({ message }) => message).join(' ')
    return { score: Math.max(0, 100 - perFinding * findings.length), why }
  },
  seo({ seo, reasons }) {
    if (seo === null) return { score: null, why: reasons.seo ?? '' }
    const missed = seo.checks.filter(({ passed }) => !passed).map(({ message }) => message)
    return { score: seo.score, why: missed.length === 0 ? 'every check passed' : missed.join(' ') }
  },
  language({ language, reasons }, expected) {
    if (language === null) return { score: null, why: reasons.language ?? '' }
    const { name, code, reliable } = language
    if (!reliable) return { score: null, why: `The language may be ${name}, but this is not certain.` }
    const tag = expected?.trim().toLowerCase().split(/[-_]/)[0]
    const isExpected = tag === undefined || tag === code || tag === name.toLowerCase()
    return {
      score: isExpected ? 100 : 0,
      why: isExpected ? `The language is ${name}.` : `The language is ${name}, expected "${expected}".`,
    }
  },
  length({ counts: { words } }) {
    return { score: Math.round(Math.min(1, words / enoughWords) * 100), why: `${words} words` }
  },
  sentiment({ sentiment, reasons }) {
    if (sentiment === null) return { score: null, why: reasons.sentiment ?? '' }
    const { label, score } = sentiment
    return { score: Math.round(Math.min(1, 1 + score) * 100), why: `${label} (${score})` }
  },
}

function meanOf(scored: readonly ScoredCheck[]): number | null {
  let sum = 0
  let weight = 0
  for (const { check, score } of scored) {
    if (score === null) continue
    sum += score * weights[check]
    weight += weights[check]
  }
  return weight === 0 ? null : Math.round((sum / weight) * 10) / 10
}

/** A threshold as a score from 0 to 100: a threshold up to 1 is a fraction. */
export function asScore(threshold: number): number {
  return threshold <= 1 ? threshold * 100 : threshold
}
