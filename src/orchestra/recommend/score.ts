import {
  costFactor,
  evidenceOf,
  type Factor,
  middleOf,
  priorityWeights,
  qualityFactor,
  rounded,
  speedFactor,
  weigh,
} from '#runs'
import type { Candidate } from './candidate.ts'
import { type FitFactor, fitFactors } from './fit.ts'
import { successFactor } from './record.ts'
import { timeAvailable, type Wishes } from './wishes.ts'

/** What half a score for cost or speed means: the middle of all agents, or half of what was allowed. */
export interface Yardstick {
  readonly cost: number | null
  readonly ms: number | null
  /** All words that agents say of themselves. */
  readonly vocabulary: ReadonlySet<string>
}

export interface Score {
  /** From 0 to 1: the mean of the factors by their weights. */
  readonly match: number
  readonly confidence: number
  /** What the match is made of. */
  readonly factors: readonly Factor[]
  /** What `fit` among them is made of. */
  readonly fit: readonly FitFactor[]
}

export function yardstickOf(
  candidates: readonly Candidate[],
  wishes: Wishes,
  vocabulary: ReadonlySet<string>,
): Yardstick {
  const time = timeAvailable(wishes)
  return {
    cost:
      wishes.maxCost === undefined
        ? middleOf(candidates.map(({ estimate }) => estimate.cost.value))
        : wishes.maxCost / 2,
    ms: time === null ? middleOf(candidates.map(({ estimate }) => estimate.duration.value)) : time / 2,
    vocabulary,
  }
}

/** What is not known speaks neither for an agent nor against it: else whoever was never tried would look best. */
const neutral = 0.5

/** Judges an agent by how well it fits, and by what its runs have shown. */
export function scoreOf(candidate: Candidate, wishes: Wishes, yardstick: Yardstick): Score {
  const weight = priorityWeights[wishes.prioritize]
  const fit = fitFactors(candidate, wishes, yardstick.vocabulary)
  const { record, estimate } = candidate
  const factors: readonly Factor[] = [
    { name: 'fit', weight: weight.fit, score: weigh(fit), evidence: 'How well it suits the request.' },
    { ...successFactor(record, wishes.risk), weight: weight.success },
    { ...qualityFactor(record.quality, wishes.qualityLevel), weight: weight.quality },
    { ...costFactor(estimate.cost.value, yardstick.cost), weight: weight.cost },
    { ...speedFactor(estimate.duration.value, yardstick.ms), weight: weight.speed },
  ]
  const judged = factors.map((factor) => ({ ...factor, score: factor.score ?? neutral }))
  return { match: rounded(weigh(judged) ?? neutral), confidence: confidenceOf(candidate, fit), factors, fit }
}

const parts = { history: 0.5, fit: 0.3, estimates: 0.2 } as const

/** How far each source of an estimate can be relied on. */
const reliance = { agent_history: 1, catalogue: 0.4 } as const

/**
 * How sure a recommendation is, from 0 to 1. It says nothing about whether the agent is good, only how much is known:
 *
 *     0.5 * n / (n + 10)     n runs that completed or failed
 *   + 0.3 * the share of what was asked that could be judged, by weight; 0 with nothing asked
 *   + 0.2 * the mean of how reliable the estimates of time and cost are: 1 from its own runs, 0.4 from prices, 0 without any
 */
function confidenceOf({ record, estimate }: Candidate, fit: readonly FitFactor[]): number {
  const asked = fit.filter((factor) => factor.asked)
  const total = asked.reduce((sum, { weight }) => sum + weight, 0)
  const judged = asked.reduce((sum, { weight, score }) => sum + (score === null ? 0 : weight), 0)
  const estimates = [estimate.duration, estimate.cost].map(({ source }) =>
    source === null ? 0 : reliance[source],
  )
  return rounded(
    parts.history * evidenceOf(record) +
      parts.fit * (total === 0 ? 0 : judged / total) +
      parts.estimates * (estimates.reduce((sum: number, it) => sum + it, 0) / estimates.length),
  )
}
