import type { Static } from 'typebox'
import { allSteps, type Flow } from '#engine'
import { criteria, scoreFactors, scoring, units } from '#executions-api'
import { type Candidate, usesModel } from './candidate.ts'
import type { Advice, Recommendation } from './recommend.ts'
import type { Requirements } from './requirements.ts'
import type { RecommendResponse } from './schemas.ts'

type Response = Static<typeof RecommendResponse>

interface AdviceContext {
  readonly workflows: readonly Flow[]
  readonly total: number
  readonly at: Date
}

/** Maps the advice to the response. */
export function describeAdvice(
  { recommendations, excluded, suggestions, warnings }: Advice,
  requirements: Requirements,
  { workflows, total, at }: AdviceContext,
): Response {
  return {
    recommendations: recommendations.map((recommendation) =>
      describeRecommendation(recommendation, requirements),
    ),
    context_analysis: analyseContext(requirements, recommendations, workflows),
    workflow_suggestions: suggestions.map(({ type, agents, cost, ms, confidence }) => ({
      type,
      agents: [...agents],
      estimated_total_cost: units.dollars(cost),
      estimated_total_duration: units.seconds(ms),
      confidence,
    })),
    cost_breakdown: breakDownCost(recommendations[0]?.candidate),
    total_agents_analyzed: total,
    excluded_agents: excluded.map(({ id, reasons }) => ({ agent_id: id, reasons: [...reasons] })),
    warnings: [...warnings],
    recommendation_timestamp: units.epochSeconds(at),
  }
}

function describeRecommendation(
  { candidate, score, alternatives }: Recommendation,
  { quality: now, explain }: Requirements,
): Response['recommendations'][number] {
  const { agent, record, model, estimate } = candidate
  const selected = usesModel(candidate) ? model : undefined
  const { pros, cons } = prosAndCons(
    [...score.factors.filter(({ name }) => name !== 'fit'), ...score.fit],
    candidate,
  )
  return {
    agent_id: agent.id,
    label: agent.label,
    category: agent.category,
    confidence: score.confidence,
    match_score: score.match,
    reasoning: reasonFor(candidate, pros),
    estimated_cost: units.dollars(estimate.cost.value),
    estimated_cost_source: estimate.cost.source,
    estimated_duration: units.seconds(estimate.duration.value),
    success_probability: units.round(scoreFactors.likelyRate(record), 3),
    quality_improvement_potential:
      now === undefined || record.quality === null
        ? null
        : units.round(Math.max(0, record.quality.mean - now), 3),
    provider: selected?.provider ?? null,
    model: selected?.model.id ?? null,
    sample_size: record.completed + record.failed,
    pros,
    cons,
    alternative_configs: alternatives.map(({ config, settings, cost, ms, accuracy }) => ({
      config,
      settings,
      cost: units.dollars(cost),
      duration: units.seconds(ms),
      accuracy: units.round(accuracy, 3),
    })),
    ...(explain && { explanation: scoring.explainScore(score) }),
  }
}

/** High scores as pros; low scores, unknown values and requirements as cons. */
function prosAndCons(factors: readonly scoreFactors.Factor[], { agent, record, estimate }: Candidate) {
  const sorted = factors.toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0))
  const required = Object.entries(agent.parameters ?? {}).flatMap(([name, it]) =>
    it.required === true ? [name] : [],
  )
  const untried = record.completed + record.failed === 0
  return {
    pros: sorted.filter(({ score }) => score !== null && score >= 0.6).map(({ evidence }) => evidence),
    cons: [
      ...sorted.filter(({ score }) => score !== null && score <= 0.4).map(({ evidence }) => evidence),
      ...(untried && !sorted.some(({ name, score }) => name === 'success' && score !== null)
        ? ['It has not been run yet.']
        : []),
      ...(required.length > 0 ? [`It requires ${required.join(', ')}.`] : []),
      ...(estimate.cost.value === null ? ['Its cost is unknown.'] : []),
    ],
  }
}

function reasonFor({ agent }: Candidate, pros: readonly string[]): string {
  const first = pros[0] ?? 'Little is known about it.'
  return `${agent.label}: ${agent.description.replace(/\.?$/, '.')} ${first}`
}

/** The cost of a run, split into the model and the surcharge of the agent. */
function breakDownCost(candidate: Candidate | undefined): Response['cost_breakdown'] {
  const total = candidate?.estimate.cost.value ?? null
  const charge = candidate?.estimate.charge ?? null
  return {
    base_processing: total === null || charge === null ? null : units.dollars(Math.max(0, total - charge)),
    premium_features: units.dollars(charge),
    bulk_discount: units.dollars(candidate?.estimate.bulkDiscount ?? null),
    total_estimated: units.dollars(total),
  }
}

const maxSimilar = 5
const maxFactors = 5

/** Characters from which content is long, and very long. */
const long = 4000
const veryLong = 20_000

/** Points below the target from which the quality gap is large. */
const largeGap = 30

/** The analysis of the request and of its recommendations. */
function analyseContext(
  requirements: Requirements,
  recommendations: readonly Recommendation[],
  workflows: readonly Flow[],
) {
  return {
    complexity: complexityOf(requirements),
    domain: requirements.contentType ?? null,
    estimated_tokens: requirements.length === undefined ? null : criteria.tokensIn(requirements.length),
    processing_difficulty: difficultyOf(requirements, recommendations),
    similar_workflows: similarWorkflows(recommendations, workflows),
    success_factors: successFactors(recommendations),
  }
}

/**
 * One point for long content and two for very long content, one for three or more SEO requirements, one for a large quality gap. No
 * point is low, one or two are medium. Null when the request has none of these fields.
 */
function complexityOf(requirements: Requirements): 'low' | 'medium' | 'high' | null {
  const { length, seo, quality } = requirements
  if (length === undefined && seo.length === 0 && quality === undefined) return null
  const points =
    Number((length ?? 0) > long) +
    Number((length ?? 0) > veryLong) +
    Number(seo.length >= 3) +
    Number((gapOf(requirements) ?? 0) >= largeGap)
  return points === 0 ? 'low' : points <= 2 ? 'medium' : 'high'
}

/**
 * The mean of the known values: content length against the limit of the best agent, the quality gap, and the duration of the best agent
 * against the available time. From 0 to 1; null when all are unknown.
 */
function difficultyOf(requirements: Requirements, [best]: readonly Recommendation[]): number | null {
  const gap = gapOf(requirements)
  const time = criteria.timeAvailable(requirements)
  const maxLength = best?.candidate.agent.configuration.max_input_length
  const needed = best?.candidate.estimate.duration.value ?? null
  const parts = [
    requirements.length === undefined || maxLength === undefined ? null : requirements.length / maxLength,
    gap === null ? null : gap / 100,
    time === null || needed === null ? null : time === 0 ? 1 : needed / time,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return units.round(parts.reduce((sum, part) => sum + Math.min(1, part), 0) / parts.length, 3)
}

/** Points from the current quality to the required level, or to 100 without one. */
function gapOf({ quality, qualityLevel }: Requirements): number | null {
  if (quality === undefined) return null
  return Math.max(0, (qualityLevel === undefined ? 100 : criteria.qualityPoints[qualityLevel]) - quality)
}

/** Workflows with recommended agents, sorted by the number of these agents. */
function similarWorkflows(recommendations: readonly Recommendation[], workflows: readonly Flow[]): string[] {
  const wanted = new Set(recommendations.map(({ candidate }) => candidate.agent.id))
  return workflows
    .map(({ flowId, definition }) => {
      const agents = new Set(
        allSteps(definition.steps).flatMap((step) => (step.type === 'agent' ? [step.agent] : [])),
      )
      return { flowId, shared: [...agents].filter((agent) => wanted.has(agent)).length }
    })
    .filter(({ shared }) => shared > 0)
    .toSorted((left, right) => right.shared - left.shared || (left.flowId < right.flowId ? -1 : 1))
    .slice(0, maxSimilar)
    .map(({ flowId }) => flowId)
}

/** The strongest factors of the first recommendation. */
function successFactors([best]: readonly Recommendation[]): string[] {
  if (best === undefined) return []
  const { factors, fit } = best.score
  return scoreFactors.strongestFactors([...factors.filter(({ name }) => name !== 'fit'), ...fit], maxFactors)
}
