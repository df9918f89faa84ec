import { dollars, round, seconds } from '../units.ts'
import { type QualityLevel, qualityPoints, type RiskTolerance } from './criteria.ts'

/** One aspect by which a candidate is scored. */
export interface Factor {
  readonly name: string
  /** From 0 to 1; null: nothing is known. */
  readonly score: number | null
  /** Against the other factors. */
  readonly weight: number
  /** The reason for the score, in a sentence. */
  readonly evidence: string
}

/** A factor that counts only when the request states a requirement for it. */
export interface FitFactor extends Factor {
  readonly asked: boolean
}

/** The results of past executions of a candidate. */
export interface TrackRecord extends Attempts {
  /** From 0 to 100, of the texts whose quality was measured; null when none was. */
  readonly quality: { readonly mean: number; readonly samples: number } | null
}

/** The mean of the factors with a score, by their weights; null when none has one. */
export function weightedMean(factors: readonly Factor[]): number | null {
  const known = factors.filter((factor) => factor.score !== null)
  const weight = known.reduce((total, factor) => total + factor.weight, 0)
  if (weight === 0) return null
  return known.reduce((total, factor) => total + (factor.score ?? 0) * factor.weight, 0) / weight
}

/** The evidence of the factors with a score of at least 0.5, the highest score first. */
export function strongestFactors(factors: readonly Factor[], limit: number): string[] {
  return factors
    .filter(({ score }) => score !== null && score >= 0.5)
    .toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0))
    .slice(0, limit)
    .map(({ evidence }) => evidence)
}

/** The mean quality of the measured texts; null when none was measured. */
export function meanQuality(total: number, samples: number): TrackRecord['quality'] {
  return samples > 0 ? { mean: total / samples, samples } : null
}

/** Scores the success rate: its lower bound, its likeliest value or its upper bound, by the risk tolerance. */
export function successFactor(
  record: Attempts,
  { noun, risk }: { readonly noun: 'executions' | 'runs'; readonly risk: RiskTolerance },
): Omit<Factor, 'weight'> {
  const attempts = record.completed + record.failed
  if (attempts === 0) return { name: 'success', ...untried[risk] }
  const bounds = rateBounds(record)
  const score = { low: bounds?.low ?? null, medium: likelyRate(record), high: bounds?.high ?? null }[risk]
  return { name: 'success', score, evidence: `${record.completed} of ${attempts} ${noun} succeeded.` }
}

/** Without any history, a low tolerance rules a candidate out and a high one gives it a chance. */
const untried: Readonly<Record<RiskTolerance, Pick<Factor, 'score' | 'evidence'>>> = {
  low: { score: 0, evidence: 'It has not been run yet, and nothing is to be risked.' },
  medium: { score: null, evidence: 'It has not been run yet.' },
  high: { score: 1, evidence: 'It has not been run yet, and much may be risked.' },
}

/** Scores the measured quality against the required level. */
export function qualityFactor(
  quality: TrackRecord['quality'],
  level: QualityLevel | undefined,
): Omit<Factor, 'weight'> {
  if (quality === null)
    return { name: 'quality', score: null, evidence: 'The quality of its texts was not measured yet.' }
  const measured = `Its texts reached ${round(quality.mean, 3)} of 100 on average, measured ${quality.samples} times`
  const required = level === undefined ? 0 : qualityPoints[level]
  if (required === 0 || quality.mean >= required)
    return { name: 'quality', score: quality.mean / 100, evidence: `${measured}.` }
  // Below the required level, each missing point counts twice.
  const score = Math.max(0, (quality.mean - (required - quality.mean)) / 100)
  return { name: 'quality', score, evidence: `${measured}; ${level} asks for ${required}.` }
}

/** Scores the cost; `baseline` scores 0.5. */
export function costFactor(microDollars: number | null, baseline: number | null): Omit<Factor, 'weight'> {
  return { name: 'cost', ...comparedWith(microDollars, baseline, describeCost) }
}

/** Scores the duration; `baseline` scores 0.5. */
export function speedFactor(ms: number | null, baseline: number | null): Omit<Factor, 'weight'> {
  return { name: 'speed', ...comparedWith(ms, baseline, (value) => `It takes about ${seconds(value)} s.`) }
}

/** The median of the known values; null when none is known. */
export function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((left, right) => left - right)
  return known[Math.floor(known.length / 2)] ?? null
}

function comparedWith(
  value: number | null,
  baseline: number | null,
  describe: (value: number) => string,
): Pick<Factor, 'score' | 'evidence'> {
  if (value === null || baseline === null)
    return { score: null, evidence: 'There is nothing to estimate it from.' }
  const score = baseline === 0 ? (value === 0 ? 1 : 0) : 1 / (1 + value / baseline)
  return { score, evidence: describe(value) }
}

function describeCost(microDollars: number): string {
  const cost = dollars(microDollars)
  return cost === 0 ? 'It costs nothing.' : `It costs about $${cost}.`
}

/** Completed and failed executions or runs. */
interface Attempts {
  readonly completed: number
  readonly failed: number
}

/** The 95 % quantile of the normal distribution. */
const z = 1.645

/** The rate with one more success and one more failure, so that few attempts give no extreme rate. Null without attempts. */
export function likelyRate({ completed, failed }: Attempts): number | null {
  const attempts = completed + failed
  return attempts === 0 ? null : (completed + 1) / (attempts + 2)
}

/** The one-sided 95 % bounds of the success rate (Wilson score); null without attempts. */
export function rateBounds({
  completed,
  failed,
}: Attempts): { readonly low: number; readonly high: number } | null {
  const attempts = completed + failed
  if (attempts === 0) return null
  const share = completed / attempts
  const middle = share + z ** 2 / (2 * attempts)
  const spread = z * Math.sqrt((share * (1 - share)) / attempts + z ** 2 / (4 * attempts ** 2))
  const whole = 1 + z ** 2 / attempts
  return { low: Math.max(0, (middle - spread) / whole), high: Math.min(1, (middle + spread) / whole) }
}

/** Attempts at which the evidence is 0.5. */
const halfEvidenceAttempts = 10

/** How much evidence the attempts give: 0 without any, towards 1 with many. */
export function evidenceOf({ completed, failed }: Attempts): number {
  const attempts = completed + failed
  return attempts / (attempts + halfEvidenceAttempts)
}
