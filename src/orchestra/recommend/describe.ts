import type { Static } from 'typebox'
import type { Flow } from '#engine'
import { dollars, epochSeconds, type Factor, likelyRate, rounded, seconds } from '#runs'
import type { RecommendAnswer } from './answer.ts'
import { asksModel, type Candidate } from './candidate.ts'
import { analyseContext } from './context-analysis.ts'
import type { Advice, Recommendation } from './recommend.ts'
import type { Wishes } from './wishes.ts'

type Answer = Static<typeof RecommendAnswer>

interface Surroundings {
  readonly workflows: readonly Flow[]
  readonly total: number
  readonly at: Date
}

/** Says advice in the words of the interface. */
export function describeAdvice(
  { recommendations, excluded, suggestions, warnings }: Advice,
  wishes: Wishes,
  { workflows, total, at }: Surroundings,
): Answer {
  return {
    recommendations: recommendations.map((recommendation) => describeRecommendation(recommendation, wishes)),
    context_analysis: analyseContext(wishes, recommendations, workflows),
    workflow_suggestions: suggestions.map(({ type, agents, cost, ms, confidence }) => ({
      type,
      agents: [...agents],
      estimated_total_cost: maybe(cost, dollars),
      estimated_total_duration: maybe(ms, seconds),
      confidence,
    })),
    cost_breakdown: breakDownCost(recommendations[0]?.candidate),
    total_agents_analyzed: total,
    excluded_agents: excluded.map(({ agentId, reasons }) => ({ agent_id: agentId, reasons: [...reasons] })),
    warnings: [...warnings],
    recommendation_timestamp: epochSeconds(at),
  }
}

function describeRecommendation(
  { candidate, score, alternatives }: Recommendation,
  { quality: now, explain }: Wishes,
): Answer['recommendations'][number] {
  const { agent, record, model, estimate } = candidate
  const answers = asksModel(candidate) ? model : undefined
  const { pros, cons } = weighUp(
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
    estimated_cost: maybe(estimate.cost.value, dollars),
    estimated_cost_source: estimate.cost.source,
    estimated_duration: maybe(estimate.duration.value, seconds),
    success_probability: maybe(likelyRate(record), rounded),
    quality_improvement_potential:
      now === undefined || record.quality === null ? null : rounded(Math.max(0, record.quality.mean - now)),
    provider: answers?.provider ?? null,
    model: answers?.model.id ?? null,
    sample_size: record.completed + record.failed,
    pros,
    cons,
    alternative_configs: alternatives.map(({ config, settings, cost, ms, accuracy }) => ({
      config,
      settings,
      cost: maybe(cost, dollars),
      duration: maybe(ms, seconds),
      accuracy: maybe(accuracy, rounded),
    })),
    ...(explain && { explanation: { match: score.factors.map(explained), fit: score.fit.map(explained) } }),
  }
}

/** What is clearly good, what is clearly not, and what cannot be told at all. */
function weighUp(factors: readonly Factor[], { agent, record, estimate }: Candidate) {
  const told = factors.toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0))
  const required = Object.entries(agent.parameters ?? {}).flatMap(([name, it]) =>
    it.required === true ? [name] : [],
  )
  const untried = record.completed + record.failed === 0
  return {
    pros: told.filter(({ score }) => score !== null && score >= 0.6).map(({ evidence }) => evidence),
    cons: [
      ...told.filter(({ score }) => score !== null && score <= 0.4).map(({ evidence }) => evidence),
      ...(untried && !told.some(({ name, score }) => name === 'success' && score !== null)
        ? ['It has not been run yet.']
        : []),
      ...(required.length > 0 ? [`It must be told ${required.join(', ')}.`] : []),
      ...(estimate.cost.value === null ? ['What it costs cannot be told.'] : []),
    ],
  }
}

function reasonFor({ agent }: Candidate, pros: readonly string[]): string {
  const first = pros[0] ?? 'Nothing speaks against it, and little is known of it.'
  return `${agent.label}: ${agent.description.replace(/\.?$/, '.')} ${first}`
}

function explained({ name, score, weight, evidence }: Factor) {
  return { factor: name, score: maybe(score, rounded), weight, evidence }
}

/** The cost of a run, with what the agent takes told apart from what the model does. */
function breakDownCost(candidate: Candidate | undefined): Answer['cost_breakdown'] {
  const total = candidate?.estimate.cost.value ?? null
  const charge = candidate?.estimate.charge ?? null
  return {
    base_processing: total === null || charge === null ? null : dollars(Math.max(0, total - charge)),
    premium_features: maybe(charge, dollars),
    bulk_discount: maybe(candidate?.estimate.bulkDiscount ?? null, dollars),
    total_estimated: maybe(total, dollars),
  }
}

function maybe(value: number | null, tell: (value: number) => number): number | null {
  return value === null ? null : tell(value)
}
