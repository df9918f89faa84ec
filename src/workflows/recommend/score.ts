import { type Candidate, samplesOf } from './candidate.ts'
import { type Factor, rounded, weigh } from './factor.ts'
import { type FitFactor, fitFactors } from './fit.ts'
import { levelPoints } from './needs.ts'
import { type Priority, timeAvailable, type Wishes } from './wishes.ts'

/** How much each thing counts. */
const weights: Readonly<
  Record<Priority, Readonly<Record<'fit' | 'success' | 'quality' | 'cost' | 'speed', number>>>
> = {
  balanced: { fit: 0.4, success: 0.2, quality: 0.15, cost: 0.125, speed: 0.125 },
  quality: { fit: 0.4, success: 0.2, quality: 0.3, cost: 0.05, speed: 0.05 },
  cost: { fit: 0.35, success: 0.15, quality: 0.05, cost: 0.4, speed: 0.05 },
  speed: { fit: 0.35, success: 0.15, quality: 0.05, cost: 0.05, speed: 0.4 },
}

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
        ? median(candidates.map(({ estimate }) => estimate.cost.value))
        : wishes.maxCost / 2,
    ms: time === null ? median(candidates.map(({ estimate }) => estimate.duration.value)) : time / 2,
  }
}

/** Judges a flow by how well it fits, and by what its executions have shown. */
export function scoreOf(candidate: Candidate, wishes: Wishes, yardstick: Yardstick): Score {
  const weight = weights[wishes.prioritize]
  const fit = fitFactors(candidate, wishes)
  const factors: readonly Factor[] = [
    { name: 'fit', weight: weight.fit, score: weigh(fit), evidence: 'How well it suits the request.' },
    { ...successFactor(candidate), weight: weight.success },
    { ...qualityFactor(candidate, wishes), weight: weight.quality },
    {
      name: 'cost',
      weight: weight.cost,
      ...comparedWith(candidate.estimate.cost.value, yardstick.cost, tellDollars),
    },
    {
      name: 'speed',
      weight: weight.speed,
      ...comparedWith(candidate.estimate.duration.value, yardstick.ms, tellSeconds),
    },
  ]
  return { match: rounded(weigh(factors) ?? 0), factors, fit }
}

/** One success more and one failure more than there were: a few executions do not make a flow perfect or hopeless. */
export function successProbability(candidate: Candidate): number | null {
  const samples = samplesOf(candidate)
  return samples === 0 ? null : (candidate.record.completed + 1) / (samples + 2)
}

function successFactor(candidate: Candidate): Omit<Factor, 'weight'> {
  const samples = samplesOf(candidate)
  const evidence =
    samples === 0
      ? 'It has not been run yet.'
      : `${candidate.record.completed} of ${samples} executions succeeded.`
  return { name: 'success', score: successProbability(candidate), evidence }
}

function qualityFactor({ record: { quality } }: Candidate, { qualityLevel }: Wishes): Omit<Factor, 'weight'> {
  if (quality === null)
    return { name: 'quality', score: null, evidence: 'The quality of its texts was not measured yet.' }
  const measured = `Its texts reached ${rounded(quality.mean)} of 100 on average, measured ${quality.samples} times`
  const wanted = qualityLevel === undefined ? 0 : levelPoints[qualityLevel]
  if (wanted === 0 || quality.mean >= wanted)
    return { name: 'quality', score: quality.mean / 100, evidence: `${measured}.` }
  // Below what is required, each missing point counts twice.
  const score = Math.max(0, (quality.mean - (wanted - quality.mean)) / 100)
  return { name: 'quality', score, evidence: `${measured}; ${qualityLevel} asks for ${wanted}.` }
}

function comparedWith(
  value: number | null,
  half: number | null,
  tell: (value: number) => string,
): Pick<Factor, 'score' | 'evidence'> {
  if (value === null || half === null)
    return { score: null, evidence: 'There is nothing to estimate it from.' }
  const score = half === 0 ? (value === 0 ? 1 : 0) : 1 / (1 + value / half)
  return { score, evidence: tell(value) }
}

function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((left, right) => left - right)
  return known[Math.floor(known.length / 2)] ?? null
}

function tellDollars(microDollars: number): string {
  return `It costs about $${Math.round(microDollars) / 1e6}.`
}

function tellSeconds(ms: number): string {
  return `It takes about ${Math.round(ms) / 1000} s.`
}
