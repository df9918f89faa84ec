import type { Candidate } from './candidate.ts'
import { confidenceOf } from './confidence.ts'
import { exclusionsOf, tooUncertain } from './exclusions.ts'
import { type Score, scoreOf, yardstickOf } from './score.ts'
import { type Strategy, strategiesFor } from './strategies.ts'
import { type Market, type Variant, variantsOf } from './variants.ts'
import type { Wishes } from './wishes.ts'

/** A flow that is recommended, and why. */
export interface Recommendation {
  readonly candidate: Candidate
  readonly score: Score
  readonly confidence: number
  readonly variants: readonly Variant[]
}

interface Exclusion {
  readonly flowId: string
  readonly reasons: readonly string[]
}

export interface Advice {
  /** The best first. */
  readonly recommendations: readonly Recommendation[]
  readonly excluded: readonly Exclusion[]
  readonly strategies: readonly Strategy[]
}

/** As many as somebody can compare. */
const mostRecommended = 10

/** Leaves out what must not be, judges the rest, and puts the best first. */
export function recommendFlows(candidates: readonly Candidate[], wishes: Wishes, market: Market): Advice {
  const yardstick = yardstickOf(candidates, wishes)
  const excluded: Exclusion[] = []
  const kept: Omit<Recommendation, 'variants'>[] = []
  for (const candidate of candidates) {
    const score = scoreOf(candidate, wishes, yardstick)
    const confidence = confidenceOf(candidate, score)
    const reasons = [...exclusionsOf(candidate, wishes), ...tooUncertain(confidence, wishes)]
    if (reasons.length > 0) excluded.push({ flowId: candidate.flow.flowId, reasons })
    else kept.push({ candidate, score, confidence })
  }
  const ranked = kept.toSorted(
    (left, right) =>
      right.score.match - left.score.match ||
      right.confidence - left.confidence ||
      left.candidate.flow.flowId.localeCompare(right.candidate.flow.flowId),
  )
  return {
    recommendations: ranked
      .slice(0, mostRecommended)
      .map((it) => ({ ...it, variants: variantsOf(it.candidate, market) })),
    excluded,
    strategies: strategiesFor(
      ranked.map(({ candidate }) => candidate),
      wishes,
    ),
  }
}
