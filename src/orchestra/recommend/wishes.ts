import type { AdvicePriority, QualityLevel } from '#runs'
import type { RecommendRequest, riskTolerances } from './request.ts'

export type RiskTolerance = (typeof riskTolerances)[number]

/** A request with its units read: money in micro-dollars, times in milliseconds, scores from 0 to 100. */
export interface Wishes {
  readonly contentType: string | undefined
  readonly length: number | undefined
  readonly language: string | undefined
  readonly audience: string | undefined
  readonly quality: number | undefined
  readonly seo: readonly string[]
  readonly maxCost: number | undefined
  /** Each bound of time by its name in the request. */
  readonly timeBounds: readonly { readonly name: 'max_duration' | 'deadline'; readonly ms: number }[]
  readonly minConfidence: number | undefined
  readonly providers: readonly string[]
  readonly excluded: readonly string[]
  readonly qualityLevel: QualityLevel | undefined
  readonly prioritize: AdvicePriority
  readonly risk: RiskTolerance
  readonly explain: boolean
  /** Whether who asks pays the rate of the tier enterprise. */
  readonly isEnterprise: boolean
}

export function readWishes(
  { context, requirements = {}, preferences = {} }: RecommendRequest,
  { now, isEnterprise }: { readonly now: Date; readonly isEnterprise: boolean },
): Wishes {
  const { current_quality_score: score, deadline } = context
  const { max_cost: maxCost, max_duration: maxSeconds } = requirements
  return {
    contentType: context.content_type,
    length: context.content_length,
    language: context.language,
    audience: context.target_audience,
    quality: score !== undefined && score <= 1 ? score * 100 : score,
    seo: context.seo_requirements ?? [],
    maxCost: maxCost === undefined ? undefined : Math.floor(maxCost * 1e6),
    timeBounds: [
      ...(maxSeconds === undefined ? [] : [{ name: 'max_duration' as const, ms: maxSeconds * 1000 }]),
      ...(deadline === undefined
        ? []
        : [{ name: 'deadline' as const, ms: Math.max(0, Date.parse(deadline) - now.getTime()) }]),
    ],
    minConfidence: requirements.min_confidence,
    providers: requirements.preferred_providers ?? [],
    excluded: requirements.exclude_agents ?? [],
    qualityLevel: requirements.quality_level,
    prioritize: preferences.prioritize ?? 'balanced',
    risk: preferences.risk_tolerance ?? 'medium',
    explain: preferences.explain_recommendations ?? false,
    isEnterprise,
  }
}

/** The tightest bound of time; null when there is none. */
export function timeAvailable({ timeBounds }: Pick<Wishes, 'timeBounds'>): number | null {
  return timeBounds.length === 0 ? null : Math.min(...timeBounds.map(({ ms }) => ms))
}
