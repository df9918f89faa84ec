import type { Static } from 'typebox'
import { criteria, scoreFactors, scoring, units } from '#executions-api'
import { type Candidate, samplesOf } from '../../recommend/candidate.ts'
import { compositionOf } from '../../recommend/composition.ts'
import { needsOf, qualityGaps } from '../../recommend/needs.ts'
import type { Advice, Recommendation } from '../../recommend/recommend.ts'
import type { Requirements } from '../../recommend/requirements.ts'
import { assessRisks, completionConfidence, successPredictors } from '../../recommend/risks.ts'
import { providerStrategyOf, type Strategy } from '../../recommend/strategies.ts'
import type { Variant } from '../../recommend/variants.ts'
import type { Candidates } from './candidates.ts'
import type { RecommendResponse } from './schemas.ts'

type Response = Static<typeof RecommendResponse>

/** Changes whenever the same request could get another response. */
const analysisVersion = '1.0.0'

/** Maps the advice to the response. */
export function describeAdvice(
  { recommendations, excluded, strategies }: Advice,
  requirements: Requirements,
  { candidates, total, stats, catalogue, providerNames }: Candidates,
  elapsedMs: number,
): Response {
  const [best] = recommendations
  return {
    recommendations: recommendations.map((recommendation) =>
      describeRecommendation(recommendation, requirements),
    ),
    context_analysis: {
      content_type: requirements.contentType ?? null,
      domain: requirements.domain ?? null,
      language: requirements.language ?? null,
      complexity: requirements.complexity ?? null,
      estimated_tokens: requirements.length === undefined ? null : criteria.tokensIn(requirements.length),
      quality_gaps: qualityGaps(requirements),
      time_available: units.seconds(criteria.timeAvailable(requirements)),
      needs: needsOf(requirements).map(({ name }) => name),
      flows_available: total,
      flows_considered: candidates.length,
    },
    workflow_comparison: compare(recommendations, requirements),
    alternative_strategies: strategies.map(describeStrategy),
    success_predictors: best === undefined ? [] : successPredictors(best.candidate, requirements),
    cost_breakdown: best === undefined ? null : breakDownCost(best.candidate),
    excluded_flows: excluded.map(({ id, reasons }) => ({ flow_id: id, reasons: [...reasons] })),
    warnings: criteria.warnOfUnusedProviders({
      preferred: requirements.providers,
      selected: recommendations.flatMap(({ candidate }) => candidate.models.map(({ entry }) => entry)),
      catalogue,
      providerNames,
    }),
    recommendation_metadata: {
      analysis_version: analysisVersion,
      model_confidence: mean(recommendations.map(({ score }) => score.confidence)),
      recommendations_generated: recommendations.length,
      analysis_duration: units.seconds(elapsedMs),
      data_sources: sourcesOf(recommendations),
      last_updated: units.epochSeconds(stats.at),
    },
  }
}

function describeRecommendation(
  recommendation: Recommendation,
  requirements: Requirements,
): Response['recommendations'][number] {
  const { candidate, score, variants } = recommendation
  const { flow, estimate } = candidate
  const { duration, cost } = estimate
  return {
    flow_id: flow.flowId,
    label: flow.definition.label,
    version: flow.version,
    confidence: score.confidence,
    match_score: score.match,
    recommendation_strength: strengthOf(score),
    reasoning: describeReasoning(recommendation, requirements),
    estimated_outcomes: {
      quality_improvement: improvementOf(recommendation, requirements),
      execution_estimates: {
        duration: units.seconds(duration.value),
        duration_source: duration.source,
        cost: units.dollars(cost.value),
        cost_source: cost.source,
        success_probability: units.round(scoreFactors.likelyRate(candidate.record), 3),
        completion_confidence: completionConfidence(candidate),
      },
    },
    flow_composition: compositionOf(candidate),
    provider_strategy: providerStrategyOf(candidate, requirements),
    risk_assessment: assessRisks(candidate, requirements),
    customization_options: variants.map(describeVariant),
  }
}

function describeReasoning(
  { candidate, score }: Recommendation,
  { explain }: Requirements,
): Response['recommendations'][number]['reasoning'] {
  const { record } = candidate
  const factors = [...score.factors.filter(({ name }) => name !== 'fit'), ...score.fit]
  return {
    primary_factors: scoreFactors.strongestFactors(factors, 4),
    context_alignment: Object.fromEntries(
      score.fit.filter(({ asked }) => asked).map((factor) => [factor.name, units.round(factor.score, 3)]),
    ),
    performance_indicators: {
      sample_size: samplesOf(candidate),
      success_rate: units.percentage(record.completed, samplesOf(candidate)),
      average_quality: units.round(record.quality?.mean ?? null, 3),
      quality_samples: record.quality?.samples ?? 0,
    },
    ...(explain && { explanation: scoring.explainScore(score) }),
  }
}

/** A strong recommendation requires enough known data. */
function strengthOf({ match, confidence }: scoring.Score): 'strong' | 'moderate' | 'weak' {
  if (match >= 0.7 && confidence >= 0.5) return 'strong'
  return match >= 0.5 ? 'moderate' : 'weak'
}

function improvementOf({ candidate }: Recommendation, { current }: Requirements): number | null {
  const now = mean(Object.values(current))
  const { quality } = candidate.record
  return now === null || quality === null ? null : units.round(Math.max(0, quality.mean - now), 3)
}

function describeVariant({ variant, ms, cost, quality, description }: Variant) {
  return {
    variant,
    duration: units.seconds(ms),
    cost: units.dollars(cost),
    [quality.kind]: units.round(quality.points, 3),
    description,
  }
}

function describeStrategy({ strategy, description, flows, cost, ms, coverage, coordination }: Strategy) {
  return {
    strategy,
    description,
    flows: [...flows],
    total_cost: units.dollars(cost),
    total_duration: units.seconds(ms),
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
  return units.round(units.average(numbers), 3)
}

/** The cost of a flow by its parts. */
function breakDownCost({ flow, estimate, models }: Candidate) {
  const { cost, steps } = estimate
  const byProvider = new Map<string, number>()
  for (const { stepId, entry } of models) {
    const step = steps.find((it) => it.stepId === stepId)
    if (entry === undefined || step === undefined || step.cost.value === null) continue
    const spent = step.cost.value * step.runShare
    byProvider.set(entry.provider, (byProvider.get(entry.provider) ?? 0) + spent)
  }
  return {
    flow_id: flow.flowId,
    total_estimated: units.dollars(cost.value),
    source: cost.source,
    by_step: steps.map(({ stepId, cost: own, runShare }) => ({
      step_id: stepId,
      cost: units.dollars(own.value),
      run_share: units.round(runShare, 3),
      source: own.source,
    })),
    by_provider: Object.fromEntries([...byProvider].map(([name, spent]) => [name, units.dollars(spent)])),
  }
}

type Comparison = Static<typeof RecommendResponse>['workflow_comparison']
type Row = Comparison['comparison_matrix'][number]

/** A comparison of the recommended flows, with the best flow for each purpose. */
function compare(recommendations: readonly Recommendation[], requirements: Requirements): Comparison {
  const rows = recommendations.map(({ candidate, score }) => {
    const { duration, cost } = candidate.estimate
    return {
      flow_id: candidate.flow.flowId,
      match_score: score.match,
      confidence: score.confidence,
      duration: units.seconds(duration.value),
      cost: units.dollars(cost.value),
      success_probability: units.round(scoreFactors.likelyRate(candidate.record), 3),
      quality: units.round(candidate.record.quality?.mean ?? null, 3),
      steps: candidate.flow.definition.steps.length,
      risk_level: assessRisks(candidate, requirements).risk_level,
    }
  })
  return { comparison_matrix: rows, recommendation_summary: summarise(rows) }
}

function summarise(rows: readonly Row[]): string {
  const [best] = rows
  if (best === undefined) return 'No flow suits: excluded_flows has the reasons.'
  const said = [`"${best.flow_id}" matches best (${best.match_score}).`]
  const cheapest = least(rows, 'cost')
  const fastest = least(rows, 'duration')
  if (cheapest !== undefined && cheapest.flow_id !== best.flow_id)
    said.push(`"${cheapest.flow_id}" is the cheapest, about $${cheapest.cost}.`)
  if (fastest !== undefined && fastest.flow_id !== best.flow_id)
    said.push(`"${fastest.flow_id}" is the fastest, about ${fastest.duration} s.`)
  return said.join(' ')
}

/** The flow with the lowest value, if that is lower than the value of the best flow. */
function least(rows: readonly Row[], what: 'cost' | 'duration'): Row | undefined {
  const own = rows[0]?.[what] ?? null
  const known = rows.filter((row) => row[what] !== null)
  const [first] = known.toSorted((left, right) => (left[what] ?? 0) - (right[what] ?? 0))
  return own !== null && (first?.[what] ?? own) < own ? first : undefined
}
