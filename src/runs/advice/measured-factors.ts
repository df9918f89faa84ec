import { type Factor, rounded } from './factor.ts'
import { levelPoints, type QualityLevel } from './quality-levels.ts'

/** From 0 to 100, of texts whose quality was measured. */
interface MeasuredQuality {
  readonly mean: number
  readonly samples: number
}

/** How good texts were, against the level that is asked for. */
export function qualityFactor(
  quality: MeasuredQuality | null,
  level: QualityLevel | undefined,
): Omit<Factor, 'weight'> {
  if (quality === null)
    return { name: 'quality', score: null, evidence: 'The quality of its texts was not measured yet.' }
  const measured = `Its texts reached ${rounded(quality.mean)} of 100 on average, measured ${quality.samples} times`
  const wanted = level === undefined ? 0 : levelPoints[level]
  if (wanted === 0 || quality.mean >= wanted)
    return { name: 'quality', score: quality.mean / 100, evidence: `${measured}.` }
  // Below what is required, each missing point counts twice.
  const score = Math.max(0, (quality.mean - (wanted - quality.mean)) / 100)
  return { name: 'quality', score, evidence: `${measured}; ${level} asks for ${wanted}.` }
}

/** Half a score is the yardstick: the middle of all, or half of what is allowed. */
export function costFactor(microDollars: number | null, half: number | null): Omit<Factor, 'weight'> {
  return { name: 'cost', ...comparedWith(microDollars, half, tellDollars) }
}

export function speedFactor(ms: number | null, half: number | null): Omit<Factor, 'weight'> {
  return { name: 'speed', ...comparedWith(ms, half, tellSeconds) }
}

/** The middle of what is known. */
export function middleOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((left, right) => left - right)
  return known[Math.floor(known.length / 2)] ?? null
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

function tellDollars(microDollars: number): string {
  const dollars = Math.round(microDollars) / 1e6
  return dollars === 0 ? 'It costs nothing.' : `It costs about $${dollars}.`
}

function tellSeconds(ms: number): string {
  return `It takes about ${Math.round(ms) / 1000} s.`
}
