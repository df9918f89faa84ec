import type { Static } from 'typebox'
import type { Flow } from '#engine'
import {
  dollars,
  epochSeconds,
  type Factor,
  levelPoints,
  likelyRate,
  rounded,
  seconds,
} from '#executions-api'
import type { RecommendAnswer } from './answer.ts'
import { asksModel, type Candidate } from './candidate.ts'
import { tokensIn } from './estimate.ts'
import type { Advice, Recommendation } from './recommend.ts'
import { timeAvailable, type Wishes } from './wishes.ts'

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

const maxSimilar = 5
const maxFactors = 5

/** From how many characters on a content is long, and very long. */
const long = 4000
const veryLong = 20_000

/** From how many points below what is asked for there is much to be done. */
const muchToDo = 30

/** What can be told of a request by itself, and with what is recommended for it. */
function analyseContext(
  wishes: Wishes,
  recommendations: readonly Recommendation[],
  workflows: readonly Flow[],
) {
  return {
    complexity: complexityOf(wishes),
    domain: wishes.contentType ?? null,
    estimated_tokens: wishes.length === undefined ? null : tokensIn(wishes.length),
    processing_difficulty: difficultyOf(wishes, recommendations),
    similar_workflows: similarWorkflows(recommendations, workflows),
    success_factors: successFactors(recommendations),
  }
}

/**
 * A point for a long content and two for a very long one, one for three things or more that search engines are to find, one for a quality
 * that is far below what is asked for. None is low, one or two are medium. Null when nothing of it was said.
 */
function complexityOf(wishes: Wishes): 'low' | 'medium' | 'high' | null {
  const { length, seo, quality } = wishes
  if (length === undefined && seo.length === 0 && quality === undefined) return null
  const points =
    Number((length ?? 0) > long) +
    Number((length ?? 0) > veryLong) +
    Number(seo.length >= 3) +
    Number((gapOf(wishes) ?? 0) >= muchToDo)
  return points === 0 ? 'low' : points <= 2 ? 'medium' : 'high'
}

/**
 * The mean of what is known: how much of what the best agent reads the content takes, how far its quality is below what is asked for, and
 * how much of the time there is the best agent needs. From 0 to 1; null when nothing is known.
 */
function difficultyOf(wishes: Wishes, [best]: readonly Recommendation[]): number | null {
  const gap = gapOf(wishes)
  const time = timeAvailable(wishes)
  const room = best?.candidate.agent.configuration.max_input_length
  const needed = best?.candidate.estimate.duration.value ?? null
  const parts = [
    wishes.length === undefined || room === undefined ? null : wishes.length / room,
    gap === null ? null : gap / 100,
    time === null || needed === null ? null : time === 0 ? 1 : needed / time,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return rounded(parts.reduce((sum, part) => sum + Math.min(1, part), 0) / parts.length)
}

/** Points from what a content is now to what is asked for, which is a perfect text unless a level is named. */
function gapOf({ quality, qualityLevel }: Wishes): number | null {
  if (quality === undefined) return null
  return Math.max(0, (qualityLevel === undefined ? 100 : levelPoints[qualityLevel]) - quality)
}

/** Workflows in which recommended agents work; those with most of them first. */
function similarWorkflows(recommendations: readonly Recommendation[], workflows: readonly Flow[]): string[] {
  const wanted = new Set(recommendations.map(({ candidate }) => candidate.agent.id))
  return workflows
    .map(({ flowId, definition }) => {
      const agents = new Set(definition.steps.flatMap((step) => (step.type === 'agent' ? [step.agent] : [])))
      return { flowId, shared: [...agents].filter((agent) => wanted.has(agent)).length }
    })
    .filter(({ shared }) => shared > 0)
    .toSorted((left, right) => right.shared - left.shared || (left.flowId < right.flowId ? -1 : 1))
    .slice(0, maxSimilar)
    .map(({ flowId }) => flowId)
}

/** What speaks for the agent that is recommended first, the weightiest first. */
function successFactors([best]: readonly Recommendation[]): string[] {
  if (best === undefined) return []
  return [...best.score.factors.filter(({ name }) => name !== 'fit'), ...best.score.fit]
    .filter(({ score }) => score !== null && score >= 0.5)
    .toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0))
    .slice(0, maxFactors)
    .map(({ evidence }) => evidence)
}
