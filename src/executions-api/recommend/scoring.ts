import { round, sum } from '../units.ts'
import { type Limits, type Priority, timeAvailable, tooUncertain } from './criteria.ts'
import {
  costFactor,
  evidenceOf,
  type Factor,
  type FitFactor,
  median,
  qualityFactor,
  speedFactor,
  type TrackRecord,
  weightedMean,
} from './score-factors.ts'

/** The weight of each factor by what the request prioritises. */
export const priorityWeights: Readonly<
  Record<Priority, Readonly<Record<'fit' | 'success' | 'quality' | 'cost' | 'speed', number>>>
> = {
  balanced: { fit: 0.4, success: 0.2, quality: 0.15, cost: 0.125, speed: 0.125 },
  quality: { fit: 0.4, success: 0.2, quality: 0.3, cost: 0.05, speed: 0.05 },
  cost: { fit: 0.35, success: 0.15, quality: 0.05, cost: 0.4, speed: 0.05 },
  speed: { fit: 0.35, success: 0.15, quality: 0.05, cost: 0.05, speed: 0.4 },
}

type EstimateSource = keyof typeof reliability

interface Estimated {
  readonly value: number | null
  readonly source: EstimateSource | null
}

interface CostAndDuration {
  readonly cost: Estimated
  readonly duration: Estimated
}

/** The cost and duration that score 0.5: half of the limit, else the median of all candidates. */
interface Baseline {
  readonly cost: number | null
  readonly ms: number | null
}

/** Derives the baseline from the limits of the request and the estimates of all candidates. */
export function baselineOf(
  candidates: readonly { readonly estimate: CostAndDuration }[],
  limits: Pick<Limits, 'maxCost' | 'timeBounds'>,
): Baseline {
  const time = timeAvailable(limits)
  return {
    cost:
      limits.maxCost === undefined
        ? median(candidates.map(({ estimate }) => estimate.cost.value))
        : limits.maxCost / 2,
    ms: time === null ? median(candidates.map(({ estimate }) => estimate.duration.value)) : time / 2,
  }
}

export interface Score {
  /** From 0 to 1: the mean of the factors by their weights. */
  readonly match: number
  /** From 0 to 1: how much is known about the candidate. */
  readonly confidence: number
  /** The factors of the match. */
  readonly factors: readonly Factor[]
  /** The factors of `fit` among them. */
  readonly fit: readonly FitFactor[]
}

interface Candidate {
  readonly record: TrackRecord
  readonly estimate: CostAndDuration
}

interface ScoreOptions {
  readonly fit: readonly FitFactor[]
  readonly success: Omit<Factor, 'weight'>
  readonly limits: Pick<Limits, 'prioritize' | 'qualityLevel'>
  readonly baseline: Baseline
  /** The score that an unknown factor counts with; null: it does not count. */
  readonly unknownScore: number | null
}

/** Scores a candidate by how well it fits the request and by its track record. */
export function scoreCandidate(candidate: Candidate, options: ScoreOptions): Score {
  const { fit, success, limits, baseline, unknownScore } = options
  const { record, estimate } = candidate
  const weights = priorityWeights[limits.prioritize]
  const factors: readonly Factor[] = [
    {
      name: 'fit',
      weight: weights.fit,
      score: weightedMean(fit),
      evidence: 'How well it suits the request.',
    },
    { ...success, weight: weights.success },
    { ...qualityFactor(record.quality, limits.qualityLevel), weight: weights.quality },
    { ...costFactor(estimate.cost.value, baseline.cost), weight: weights.cost },
    { ...speedFactor(estimate.duration.value, baseline.ms), weight: weights.speed },
  ]
  const counted = factors.map((factor) => ({ ...factor, score: factor.score ?? unknownScore }))
  return {
    match: round(weightedMean(counted) ?? unknownScore ?? 0, 3),
    confidence: confidenceOf(candidate, fit),
    factors,
    fit,
  }
}

const confidenceWeights = { history: 0.5, fit: 0.3, estimates: 0.2 } as const

/** How reliable each source of an estimate is. */
const reliability = {
  flow_history: 1,
  agent_history: 1,
  step_type_history: 0.6,
  catalogue: 0.4,
  metadata: 0.3,
} as const

/**
 * How much is known about a candidate, from 0 to 1. It says nothing about whether the candidate is good:
 *
 *     0.5 * n / (n + 10)     n executions that completed or failed
 *   + 0.3 * the share of the requested fit factors that have a score, by weight; 0 when none was requested
 *   + 0.2 * the mean reliability of the estimates of time and cost: 1 from its own executions, 0.6 from steps of the same type, 0.4
 *           from prices, 0.3 from its author, 0 without an estimate
 */
function confidenceOf({ record, estimate }: Candidate, fit: readonly FitFactor[]): number {
  const asked = fit.filter((factor) => factor.asked)
  const total = sum(asked.map(({ weight }) => weight))
  const scored = sum(asked.map(({ weight, score }) => (score === null ? 0 : weight)))
  const estimates = [estimate.duration, estimate.cost].map(({ source }) =>
    source === null ? 0 : reliability[source],
  )
  return round(
    confidenceWeights.history * evidenceOf(record) +
      confidenceWeights.fit * (total === 0 ? 0 : scored / total) +
      confidenceWeights.estimates * (sum(estimates) / estimates.length),
    3,
  )
}

interface RankOptions<C> {
  readonly idOf: (candidate: C) => string
  readonly scoreOf: (candidate: C) => Score
  /** The requirements a candidate does not meet. */
  readonly exclusionsOf: (candidate: C) => readonly string[]
  readonly limits: Pick<Limits, 'minConfidence'>
}

interface Ranking<C> {
  /** By match, then by confidence, then by id. */
  readonly ranked: readonly { readonly candidate: C; readonly score: Score }[]
  readonly excluded: readonly { readonly id: string; readonly reasons: readonly string[] }[]
}

/** Excludes the candidates that do not meet the requirements, and ranks the others. */
export function rankCandidates<C>(candidates: readonly C[], options: RankOptions<C>): Ranking<C> {
  const { idOf, scoreOf, exclusionsOf, limits } = options
  const scored = candidates.map((candidate) => {
    const score = scoreOf(candidate)
    return {
      candidate,
      score,
      id: idOf(candidate),
      reasons: [...exclusionsOf(candidate), ...tooUncertain(score.confidence, limits)],
    }
  })
  return {
    ranked: scored
      .filter(({ reasons }) => reasons.length === 0)
      .toSorted(
        (left, right) =>
          right.score.match - left.score.match ||
          right.score.confidence - left.score.confidence ||
          left.id.localeCompare(right.id),
      )
      .map(({ candidate, score }) => ({ candidate, score })),
    excluded: scored.filter(({ reasons }) => reasons.length > 0).map(({ id, reasons }) => ({ id, reasons })),
  }
}

/** The factors of a score as the responses show them. */
export function explainScore({ factors, fit }: Pick<Score, 'factors' | 'fit'>) {
  return { match: factors.map(explainFactor), fit: fit.map(explainFactor) }
}

function explainFactor({ name, score, weight, evidence }: Factor) {
  return { factor: name, score: round(score, 3), weight, evidence }
}

/** The cost and duration of several candidates in sequence or in parallel; null when one of them is unknown. */
export function combinedEstimate(
  candidates: readonly { readonly estimate: CostAndDuration }[],
  mode: 'sequential' | 'parallel',
): { readonly cost: number | null; readonly ms: number | null } {
  const costs = allKnown(candidates.map(({ estimate }) => estimate.cost.value))
  const times = allKnown(candidates.map(({ estimate }) => estimate.duration.value))
  return {
    cost: costs === null ? null : sum(costs),
    ms: times === null ? null : mode === 'sequential' ? sum(times) : Math.max(...times),
  }
}

function allKnown(values: readonly (number | null)[]): readonly number[] | null {
  const known = values.filter((value) => value !== null)
  return known.length < values.length ? null : known
}
