import type { Static } from 'typebox'
import type { Flow } from '#engine'
import { recommend, units } from '#executions-api'
import type { RecommendAnswer } from './answer.ts'
import { asksModel, type Candidate } from './candidate.ts'
import type { Advice, Recommendation } from './recommend.ts'
import type { Requirements } from './requirements.ts'

type Answer = Static<typeof RecommendAnswer>

interface Surroundings {
  readonly workflows: readonly Flow[]
  readonly total: number
  readonly at: Date
}

/** Says advice in the words of the interface. */
export function describeAdvice(
  { recommendations, excluded, suggestions, warnings }: Advice,
  requirements: Requirements,
  { workflows, total, at }: Surroundings,
): Answer {
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
    estimated_cost: units.dollars(estimate.cost.value),
    estimated_cost_source: estimate.cost.source,
    estimated_duration: units.seconds(estimate.duration.value),
    success_probability: units.round(recommend.likelyRate(record), 3),
    quality_improvement_potential:
      now === undefined || record.quality === null
        ? null
        : units.round(Math.max(0, record.quality.mean - now), 3),
    provider: answers?.provider ?? null,
    model: answers?.model.id ?? null,
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
    ...(explain && { explanation: recommend.explainScore(score) }),
  }
}

/** What is clearly good, what is clearly not, and what cannot be told at all. */
function weighUp(factors: readonly recommend.Factor[], { agent, record, estimate }: Candidate) {
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

/** The cost of a run, with what the agent takes told apart from what the model does. */
function breakDownCost(candidate: Candidate | undefined): Answer['cost_breakdown'] {
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

/** From how many characters on a content is long, and very long. */
const long = 4000
const veryLong = 20_000

/** From how many points below what is asked for there is much to be done. */
const muchToDo = 30

/** What can be told of a request by itself, and with what is recommended for it. */
function analyseContext(
  requirements: Requirements,
  recommendations: readonly Recommendation[],
  workflows: readonly Flow[],
) {
  return {
    complexity: complexityOf(requirements),
    domain: requirements.contentType ?? null,
    estimated_tokens: requirements.length === undefined ? null : recommend.tokensIn(requirements.length),
    processing_difficulty: difficultyOf(requirements, recommendations),
    similar_workflows: similarWorkflows(recommendations, workflows),
    success_factors: successFactors(recommendations),
  }
}

/**
 * A point for a long content and two for a very long one, one for three things or more that search engines are to find, one for a quality
 * that is far below what is asked for. None is low, one or two are medium. Null when nothing of it was said.
 */
function complexityOf(requirements: Requirements): 'low' | 'medium' | 'high' | null {
  const { length, seo, quality } = requirements
  if (length === undefined && seo.length === 0 && quality === undefined) return null
  const points =
    Number((length ?? 0) > long) +
    Number((length ?? 0) > veryLong) +
    Number(seo.length >= 3) +
    Number((gapOf(requirements) ?? 0) >= muchToDo)
  return points === 0 ? 'low' : points <= 2 ? 'medium' : 'high'
}

/**
 * The mean of what is known: how much of what the best agent reads the content takes, how far its quality is below what is asked for, and
 * how much of the time there is the best agent needs. From 0 to 1; null when nothing is known.
 */
function difficultyOf(requirements: Requirements, [best]: readonly Recommendation[]): number | null {
  const gap = gapOf(requirements)
  const time = recommend.timeAvailable(requirements)
  const room = best?.candidate.agent.configuration.max_input_length
  const needed = best?.candidate.estimate.duration.value ?? null
  const parts = [
    requirements.length === undefined || room === undefined ? null : requirements.length / room,
    gap === null ? null : gap / 100,
    time === null || needed === null ? null : time === 0 ? 1 : needed / time,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return units.round(parts.reduce((sum, part) => sum + Math.min(1, part), 0) / parts.length, 3)
}

/** Points from what a content is now to what is asked for, which is a perfect text unless a level is named. */
function gapOf({ quality, qualityLevel }: Requirements): number | null {
  if (quality === undefined) return null
  return Math.max(0, (qualityLevel === undefined ? 100 : recommend.qualityPoints[qualityLevel]) - quality)
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
  const { factors, fit } = best.score
  return recommend.strongestFactors([...factors.filter(({ name }) => name !== 'fit'), ...fit], maxFactors)
}
