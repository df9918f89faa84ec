import type { Static } from 'typebox'
import { providerNames } from '#models'
import {
  dollars,
  epochSeconds,
  type Factor,
  percentage,
  rounded,
  seconds,
  warnOfUnusedProviders,
} from '#runs'
import { samplesOf } from '../../recommend/candidate.ts'
import { compositionOf } from '../../recommend/composition.ts'
import { needsOf, qualityGaps } from '../../recommend/needs.ts'
import { providerStrategyOf } from '../../recommend/provider-strategy.ts'
import type { Advice, Recommendation } from '../../recommend/recommend.ts'
import { assessRisks } from '../../recommend/risks.ts'
import { successProbability } from '../../recommend/score.ts'
import type { Strategy } from '../../recommend/strategies.ts'
import { completionConfidence, successPredictors } from '../../recommend/success.ts'
import type { Variant } from '../../recommend/variants.ts'
import { timeAvailable, type Wishes } from '../../recommend/wishes.ts'
import type { RecommendAnswer } from './answer.ts'
import { compare } from './compare.ts'
import { breakDownCost } from './cost-breakdown.ts'
import type { Gathered } from './gather.ts'

type Answer = Static<typeof RecommendAnswer>

/** Changes whenever the same request could be answered otherwise. */
const analysisVersion = '1.0.0'
/** Characters of a token in a usual text. */
const charactersPerToken = 4

/** Says advice in the words of the interface. */
export function describeAdvice(
  { recommendations, excluded, strategies }: Advice,
  wishes: Wishes,
  { candidates, total, figures, catalogue }: Gathered,
  elapsedMs: number,
): Answer {
  const [best] = recommendations
  return {
    recommendations: recommendations.map((recommendation) => describeRecommendation(recommendation, wishes)),
    context_analysis: {
      content_type: wishes.contentType ?? null,
      domain: wishes.domain ?? null,
      language: wishes.language ?? null,
      complexity: wishes.complexity ?? null,
      estimated_tokens: wishes.length === undefined ? null : Math.ceil(wishes.length / charactersPerToken),
      quality_gaps: qualityGaps(wishes),
      time_available: maybe(timeAvailable(wishes), seconds),
      needs: needsOf(wishes).map(({ name }) => name),
      flows_available: total,
      flows_considered: candidates.length,
    },
    workflow_comparison: compare(recommendations, wishes),
    alternative_strategies: strategies.map(describeStrategy),
    success_predictors: best === undefined ? [] : successPredictors(best.candidate, wishes),
    cost_breakdown: best === undefined ? null : breakDownCost(best.candidate),
    excluded_flows: excluded.map(({ flowId, reasons }) => ({ flow_id: flowId, reasons: [...reasons] })),
    warnings: warnOfUnusedProviders({
      preferred: wishes.providers,
      answering: recommendations.flatMap(({ candidate }) => candidate.models.map(({ entry }) => entry)),
      catalogue,
      providerNames,
    }),
    recommendation_metadata: {
      analysis_version: analysisVersion,
      model_confidence: mean(recommendations.map(({ confidence }) => confidence)),
      recommendations_generated: recommendations.length,
      analysis_duration: seconds(elapsedMs),
      data_sources: sourcesOf(recommendations),
      last_updated: epochSeconds(figures.at),
    },
  }
}

function describeRecommendation(
  recommendation: Recommendation,
  wishes: Wishes,
): Answer['recommendations'][number] {
  const { candidate, score, confidence, variants } = recommendation
  const { flow, estimate } = candidate
  const { duration, cost } = estimate
  return {
    flow_id: flow.flowId,
    label: flow.definition.label,
    version: flow.version,
    confidence,
    match_score: score.match,
    recommendation_strength: strengthOf(score.match, confidence),
    reasoning: describeReasoning(recommendation, wishes),
    estimated_outcomes: {
      quality_improvement: improvementOf(recommendation, wishes),
      execution_estimates: {
        duration: maybe(duration.value, seconds),
        duration_source: duration.source,
        cost: maybe(cost.value, dollars),
        cost_source: cost.source,
        success_probability: maybe(successProbability(candidate), rounded),
        completion_confidence: completionConfidence(candidate),
      },
    },
    flow_composition: compositionOf(candidate),
    provider_strategy: providerStrategyOf(candidate, wishes),
    risk_assessment: assessRisks(candidate, wishes),
    customization_options: variants.map(describeVariant),
  }
}

function describeReasoning(
  { candidate, score }: Recommendation,
  { explain }: Wishes,
): Answer['recommendations'][number]['reasoning'] {
  const { record } = candidate
  const telling = [...score.factors.filter(({ name }) => name !== 'fit'), ...score.fit]
    .filter((factor) => factor.score !== null && factor.score >= 0.5)
    .toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0))
  return {
    primary_factors: telling.slice(0, 4).map(({ evidence }) => evidence),
    context_alignment: Object.fromEntries(
      score.fit.filter(({ asked }) => asked).map((factor) => [factor.name, maybe(factor.score, rounded)]),
    ),
    performance_indicators: {
      sample_size: samplesOf(candidate),
      success_rate: percentage(record.completed, samplesOf(candidate)),
      average_quality: maybe(record.quality?.mean ?? null, rounded),
      quality_samples: record.quality?.samples ?? 0,
    },
    ...(explain && { explanation: { match: score.factors.map(explained), fit: score.fit.map(explained) } }),
  }
}

function explained({ name, score, weight, evidence }: Factor) {
  return { factor: name, score: maybe(score, rounded), weight, evidence }
}

/** Strong only when enough is known to say so. */
function strengthOf(match: number, confidence: number): 'strong' | 'moderate' | 'weak' {
  if (match >= 0.7 && confidence >= 0.5) return 'strong'
  return match >= 0.5 ? 'moderate' : 'weak'
}

function improvementOf({ candidate }: Recommendation, { current }: Wishes): number | null {
  const now = mean(Object.values(current))
  const { quality } = candidate.record
  return now === null || quality === null ? null : rounded(Math.max(0, quality.mean - now))
}

function describeVariant({ variant, ms, cost, quality, description }: Variant) {
  return {
    variant,
    duration: maybe(ms, seconds),
    cost: maybe(cost, dollars),
    [quality.kind]: maybe(quality.points, rounded),
    description,
  }
}

function describeStrategy({ strategy, description, flows, cost, ms, coverage, coordination }: Strategy) {
  return {
    strategy,
    description,
    flows: [...flows],
    total_cost: maybe(cost, dollars),
    total_duration: maybe(ms, seconds),
    ...(strategy === 'sequential'
      ? { quality_potential: coverage }
      : { coordination_complexity: coordination }),
  }
}

function sourcesOf(recommendations: readonly Recommendation[]): string[] {
  const estimates = recommendations.flatMap(({ candidate: { estimate } }) => [
    estimate.duration,
    estimate.cost,
  ])
  return ['flow_definitions', ...new Set(estimates.flatMap(({ source }) => source ?? []))]
}

function mean(numbers: readonly number[]): number | null {
  return numbers.length === 0
    ? null
    : rounded(numbers.reduce((sum, number) => sum + number, 0) / numbers.length)
}

function maybe(value: number | null, tell: (value: number) => number): number | null {
  return value === null ? null : tell(value)
}
