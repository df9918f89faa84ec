import { criteria } from '#executions-api'
import type { RecommendRequest } from './request.ts'

/** A request in internal units: money in micro-dollars, times in milliseconds, scores from 0 to 100. */
export interface Requirements extends criteria.Limits {
  readonly contentType: string | undefined
  readonly length: number | undefined
  readonly language: string | undefined
  readonly audience: string | undefined
  readonly quality: number | undefined
  readonly seo: readonly string[]
  readonly excluded: readonly string[]
  readonly risk: criteria.RiskTolerance
  /** Whether the caller has the enterprise tier. */
  readonly isEnterprise: boolean
}

export function readRequirements(
  { context, requirements = {}, preferences = {} }: RecommendRequest,
  { now, isEnterprise }: { readonly now: Date; readonly isEnterprise: boolean },
): Requirements {
  const { current_quality_score: score, deadline } = context
  const { max_cost: maxCost, max_duration: maxSeconds } = requirements
  return {
    contentType: context.content_type,
    length: context.content_length,
    language: context.language,
    audience: context.target_audience,
    quality: criteria.asPoints(score),
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
