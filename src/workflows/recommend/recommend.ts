import { evidenceOf, rounded } from '#executions-api'
import type { Candidate } from './candidate.ts'
import { compliesWith } from './compliance.ts'
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
const maxRecommended = 10

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
      .slice(0, maxRecommended)
      .map((it) => ({ ...it, variants: variantsOf(it.candidate, market) })),
    excluded,
    strategies: strategiesFor(
      ranked.map(({ candidate }) => candidate),
      wishes,
    ),
  }
}

const weights = { history: 0.5, fit: 0.3, estimates: 0.2 } as const

/** How far each source of an estimate can be relied on. */
const reliance = { flow_history: 1, step_type_history: 0.6, catalogue: 0.4, metadata: 0.3 } as const

/**
 * How sure a recommendation is, from 0 to 1. It says nothing about whether the flow is good, only how much is known:
 *
 *     0.5 * n / (n + 10)     n executions that ended by themselves
 *   + 0.3 * the share of what was asked that could be judged, by weight
 *   + 0.2 * the mean of how reliable the estimates of time and cost are: 1 from the flow's own executions, 0.6 from steps of
 *           the same type, 0.4 from prices, 0.3 from its author, 0 without any
 *
 * What was not asked is left out of the second part; with nothing asked at all it is 0.
 */
export function confidenceOf(candidate: Candidate, { fit }: Pick<Score, 'fit'>): number {
  const asked = fit.filter((factor) => factor.asked)
  const total = asked.reduce((sum, { weight }) => sum + weight, 0)
  const judged = asked.reduce((sum, { weight, score }) => sum + (score === null ? 0 : weight), 0)
  const { duration, cost } = candidate.estimate
  const estimates = [duration, cost].map(({ source }): number => (source === null ? 0 : reliance[source]))
  return rounded(
    weights.history * evidenceOf(candidate.record) +
      weights.fit * (total === 0 ? 0 : judged / total) +
      weights.estimates * (estimates.reduce((sum, it) => sum + it, 0) / estimates.length),
  )
}

/** Characters of a token in a usual text. */
const charactersPerToken = 4

const experimentalWords = ['experimental', 'beta', 'alpha', 'preview']

/** Why a flow is left out: each thing that must hold and does not. What nobody knows does not exclude. */
export function exclusionsOf(candidate: Candidate, wishes: Wishes): string[] {
  return [
    ...overCost(candidate, wishes),
    ...overTime(candidate, wishes),
    ...overMemory(candidate, wishes),
    ...experimental(candidate, wishes),
    ...notCompliant(candidate, wishes),
    ...notAnswered(candidate),
    ...tooLong(candidate, wishes),
  ]
}

/** Why a flow of which this much is known is left out. */
export function tooUncertain(confidence: number, { minConfidence }: Pick<Wishes, 'minConfidence'>): string[] {
  if (minConfidence === undefined || confidence >= minConfidence) return []
  return [
    `min_confidence: it is recommended with a confidence of ${confidence}, and ${minConfidence} is asked for.`,
  ]
}

function overCost({ estimate: { cost } }: Candidate, { maxCost }: Wishes): string[] {
  if (maxCost === undefined || cost.value === null || cost.value <= maxCost) return []
  return [`max_cost: it costs about $${Math.round(cost.value) / 1e6}, and $${maxCost / 1e6} are allowed.`]
}

function overTime({ estimate: { duration } }: Candidate, { timeBounds }: Wishes): string[] {
  const { value } = duration
  return timeBounds.flatMap(({ name, ms }) => {
    if (ms === 0) return [`${name}: it is over.`]
    if (value === null || value <= ms) return []
    return [
      `${name}: it takes about ${Math.round(value) / 1000} s, and there are ${Math.round(ms) / 1000} s.`,
    ]
  })
}

function overMemory({ record }: Candidate, { maxBytes }: Wishes): string[] {
  if (maxBytes === undefined || record.bytes === null || record.bytes <= maxBytes) return []
  return [
    `max_memory: its executions hold about ${megabytes(record.bytes)} MB, and ${megabytes(maxBytes)} MB are allowed.`,
  ]
}

function experimental({ flow: { definition } }: Candidate, { excludeExperimental }: Wishes): string[] {
  if (!excludeExperimental) return []
  const said = new Set(
    [definition.category ?? '', ...(definition.tags ?? [])].map((word) => word.toLowerCase()),
  )
  const word = experimentalWords.find((name) => said.has(name))
  if (word !== undefined) return [`exclude_experimental: it is tagged "${word}".`]
  return /^0(\.|$)/.test(definition.version ?? '')
    ? [`exclude_experimental: its version is ${definition.version}.`]
    : []
}

function notCompliant(candidate: Candidate, { hardCompliance }: Wishes): string[] {
  return hardCompliance
    .filter((requirement) => !compliesWith(candidate, requirement))
    .map((requirement) => `compliance_requirements: it does not say that it complies with ${requirement}.`)
}

function notAnswered({ models }: Candidate): string[] {
  return models
    .filter(({ entry }) => entry === undefined || !entry.model.available)
    .map(
      ({ stepId, named }) =>
        `models: nobody can answer its step "${stepId}"${named === null ? '' : ` with ${named}`} now.`,
    )
}

function tooLong({ models }: Candidate, { length }: Wishes): string[] {
  if (length === undefined) return []
  const tokens = Math.ceil(length / charactersPerToken)
  return models.flatMap(({ stepId, entry }) => {
    const most = entry?.model.contextLength ?? null
    if (most === null || tokens <= most) return []
    return [
      `length: the content has about ${tokens} tokens, and the model of its step "${stepId}" takes ${most}.`,
    ]
  })
}

function megabytes(bytes: number): number {
  return Math.round((bytes / 1024 / 1024) * 1000) / 1000
}
