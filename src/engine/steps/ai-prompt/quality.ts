import { analyseText, type TextAnalysis } from '#models'

/** What a text can be judged by. */
type QualityCheck = 'readability' | 'structure' | 'seo' | 'language' | 'length' | 'sentiment'

/** One judgement, 0 to 100; null when the text does not allow it. */
interface JudgedCheck {
  readonly check: QualityCheck
  readonly score: number | null
  readonly why: string
}

export interface Quality {
  /** 0 to 100: the mean of what could be judged, by weight; null when nothing could be. */
  readonly score: number | null
  readonly checks: readonly JudgedCheck[]
}

interface QualityOptions {
  /** Default: what makes any text good or bad, which search engines and moods do not. */
  readonly checks?: readonly QualityCheck[] | undefined
  /** The language the text should be in: its tag, or its name in English. */
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
const usualChecks: readonly QualityCheck[] = ['readability', 'structure', 'length', 'language']

/** Fewer words say nothing about the quality of a text. */
const fewestWords = 20
const enoughWords = 50
const perFinding = 15

/** What is judged of a long text: its beginning. */
const mostJudged = 200_000

/** Judges a text. The formula stands in the README; every score comes with its reason. */
export async function judgeQuality(
  text: string,
  { checks = usualChecks, language, signal }: QualityOptions = {},
): Promise<Quality> {
  const analysis = await analyseText(text.slice(0, mostJudged), { signal })
  const judged = checks.map((check) => ({ check, ...judges[check](analysis, language) }))
  if (analysis.counts.words < fewestWords) {
    const why = `There are ${analysis.counts.words} words, and fewer than ${fewestWords} say nothing.`
    return { score: null, checks: judged.map(({ check }) => ({ check, score: null, why })) }
  }
  return { score: meanOf(judged), checks: judged }
}

type Judge = (analysis: TextAnalysis, language: string | undefined) => Omit<JudgedCheck, 'check'>

const scoreOfDifficulty = {
  'very easy': 100,
  easy: 100,
  medium: 85,
  difficult: 60,
  'very difficult': 35,
} as const

const judges: Readonly<Record<QualityCheck, Judge>> = {
  readability({ readability, reasons }) {
    if (readability === null) return { score: null, why: reasons.readability ?? '' }
    const { difficulty, formula, score } = readability
    if (difficulty === null) return { score: null, why: `${formula} has no levels.` }
    return { score: scoreOfDifficulty[difficulty], why: `${difficulty} to read (${formula} ${score})` }
  },
  structure({ structure: { findings } }) {
    const why = findings.length === 0 ? 'nothing is amiss' : findings.map(({ message }) => message).join(' ')
    return { score: Math.max(0, 100 - perFinding * findings.length), why }
  },
  seo({ seo, reasons }) {
    if (seo === null) return { score: null, why: reasons.seo ?? '' }
    const missed = seo.checks.filter(({ passed }) => !passed).map(({ message }) => message)
    return { score: seo.score, why: missed.length === 0 ? 'every check passed' : missed.join(' ') }
  },
  language({ language, reasons }, wanted) {
    if (language === null) return { score: null, why: reasons.language ?? '' }
    const { name, code, reliable } = language
    if (!reliable) return { score: null, why: `It may be ${name}, but that is not sure.` }
    const asked = wanted?.trim().toLowerCase().split(/[-_]/)[0]
    const isWanted = asked === undefined || asked === code || asked === name.toLowerCase()
    return {
      score: isWanted ? 100 : 0,
      why: isWanted ? `It is ${name}.` : `It is ${name}, and "${wanted}" was wanted.`,
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

function meanOf(judged: readonly JudgedCheck[]): number | null {
  let sum = 0
  let weight = 0
  for (const { check, score } of judged) {
    if (score === null) continue
    sum += score * weights[check]
    weight += weights[check]
  }
  return weight === 0 ? null : Math.round((sum / weight) * 10) / 10
}

/** A threshold on the scale of scores: 0 to 1 is a share of 100. */
export function asScore(threshold: number): number {
  return threshold <= 1 ? threshold * 100 : threshold
}
