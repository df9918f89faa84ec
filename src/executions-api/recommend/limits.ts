import { dollars, seconds } from '../units.ts'
import type { Priority } from './score.ts'

export const qualityLevels = ['draft', 'standard', 'high', 'premium'] as const
export type QualityLevel = (typeof qualityLevels)[number]

/** The points of 100 that a level requires. The engine requires the same of texts at `high` and `premium`. */
export const qualityPoints: Readonly<Record<QualityLevel, number>> = {
  draft: 0,
  standard: 50,
  high: 60,
  premium: 75,
}

export const riskTolerances = ['low', 'medium', 'high'] as const
export type RiskTolerance = (typeof riskTolerances)[number]

/** What every recommendation request can limit. Money in micro-dollars, times in milliseconds. */
export interface Limits {
  readonly maxCost: number | undefined
  /** Each limit on time by its name in the request. */
  readonly timeBounds: readonly { readonly name: string; readonly ms: number }[]
  readonly minConfidence: number | undefined
  readonly providers: readonly string[]
  readonly qualityLevel: QualityLevel | undefined
  readonly prioritize: Priority
  readonly explain: boolean
}

/** The tightest limit on time; null when there is none. */
export function timeAvailable({ timeBounds }: Pick<Limits, 'timeBounds'>): number | null {
  return timeBounds.length === 0 ? null : Math.min(...timeBounds.map(({ ms }) => ms))
}

interface Estimate {
  readonly cost: { readonly value: number | null }
  readonly duration: { readonly value: number | null }
}

/** The limits on cost and time that a candidate exceeds. An unknown cost or duration exceeds none. */
export function exceededLimits(
  { cost, duration }: Estimate,
  { maxCost, timeBounds }: Pick<Limits, 'maxCost' | 'timeBounds'>,
): string[] {
  return [
    ...(maxCost === undefined || cost.value === null || cost.value <= maxCost
      ? []
      : [`max_cost: it costs about $${dollars(cost.value)}, and $${maxCost / 1e6} are allowed.`]),
    ...timeBounds.flatMap(({ name, ms }) => {
      if (ms === 0) return [`${name}: it is over.`]
      if (duration.value === null || duration.value <= ms) return []
      return [`${name}: it takes about ${seconds(duration.value)} s, and there are ${seconds(ms)} s.`]
    }),
  ]
}

/** Why a candidate with this confidence is excluded; empty when it is not. */
export function tooUncertain(confidence: number, { minConfidence }: Pick<Limits, 'minConfidence'>): string[] {
  if (minConfidence === undefined || confidence >= minConfidence) return []
  return [
    `min_confidence: it is recommended with a confidence of ${confidence}, and ${minConfidence} is asked for.`,
  ]
}

/** A score of a request as points of 100: up to 1 it is a share. */
export function asPoints(score: number | undefined): number | undefined {
  return score !== undefined && score <= 1 ? score * 100 : score
}
