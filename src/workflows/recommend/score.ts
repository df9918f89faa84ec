import {
  costFactor,
  type Factor,
  likelyRate,
  middleOf,
  priorityWeights,
  qualityFactor,
  rounded,
  speedFactor,
  weigh,
} from '#runs'
import { type Candidate, samplesOf } from './candidate.ts'
import { type FitFactor, fitFactors } from './fit.ts'
import { timeAvailable, type Wishes } from './wishes.ts'

/** What half a score for cost or speed means: the middle of all flows, or half of what was allowed. */
export interface Yardstick {
  readonly cost: number | null
  readonly ms: number | null
}

export interface Score {
  /** From 0 to 1: the mean of the factors of which something is known, by their weights. */
  readonly match: number
  /** What the match is made of. */
  readonly factors: readonly Factor[]
  /** What `fit` among them is made of. */
  readonly fit: readonly FitFactor[]
}

export function yardstickOf(candidates: readonly Candidate[], wishes: Wishes): Yardstick {
  const time = timeAvailable(wishes)
  return {
    cost:
      wishes.maxCost === undefined
        ? middleOf(candidates.map(({ estimate }) => estimate.cost.value))
        : wishes.maxCost / 2,
    ms: time === null ? middleOf(candidates.map(({ estimate }) => estimate.duration.value)) : time / 2,
  }
}

/** Judges a flow by how well it fits, and by what its executions have shown. */
export function scoreOf(candidate: Candidate, wishes: Wishes, yardstick: Yardstick): Score {
  const weight = priorityWeights[wishes.prioritize]
  const fit = fitFactors(candidate, wishes)
  const factors: readonly Factor[] = [
    { name: 'fit', weight: weight.fit, score: weigh(fit), evidence: 'How well it suits the request.' },
    { ...successFactor(candidate), weight: weight.success },
    { ...qualityFactor(candidate.record.quality, wishes.qualityLevel), weight: weight.quality },
    { ...costFactor(candidate.estimate.cost.value, yardstick.cost), weight: weight.cost },
    { ...speedFactor(candidate.estimate.duration.value, yardstick.ms), weight: weight.speed },
  ]
  return { match: rounded(weigh(factors) ?? 0), factors, fit }
}

/** How likely an execution succeeds; null without any to tell from. */
export function successProbability(candidate: Candidate): number | null {
  return likelyRate(candidate.record)
}

function successFactor(candidate: Candidate): Omit<Factor, 'weight'> {
  const samples = samplesOf(candidate)
  const evidence =
    samples === 0
      ? 'It has not been run yet.'
      : `${candidate.record.completed} of ${samples} executions succeeded.`
  return { name: 'success', score: successProbability(candidate), evidence }
}
