/**
 * Where an estimate comes from, the best first.
 *
 * | source            | means                                                                          |
 * |-------------------|--------------------------------------------------------------------------------|
 * | flow_history      | executions of this flow in the last weeks                                      |
 * | step_type_history | steps of the same type in other flows                                          |
 * | catalogue         | the price of the model, and how much it may write; or that nothing is asked for |
 * | metadata          | what the author of the flow expects                                            |
 */
const estimateSources = ['flow_history', 'step_type_history', 'catalogue', 'metadata'] as const
export type EstimateSource = (typeof estimateSources)[number]

/** What something is likely to take: milliseconds, or micro-dollars. */
export interface Estimate {
  /** Null: nobody can tell. */
  readonly value: number | null
  readonly source: EstimateSource | null
  /** How many executions or steps it was learned from. */
  readonly sample: number
  /** 0 to 1, from how many there were and how alike they are; null when it was not learned. */
  readonly confidence: number | null
}

export const nobodyKnows: Estimate = { value: null, source: null, sample: 0, confidence: null }

/** How many it takes for half of the confidence. */
const halfwaySample = 5

/** More of them and less difference between them make it surer: `n / (n + 5) / (1 + spread)`. */
export function confidenceOf({
  sample,
  spread,
}: {
  readonly sample: number
  readonly spread: number | null
}): number | null {
  if (sample <= 0 || spread === null) return null
  return roundedConfidence(sample / (sample + halfwaySample) / (1 + Math.max(0, spread)))
}

/** To a ten-thousandth: further digits say nothing about something estimated. */
export function roundedConfidence(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000
}

/** Estimates one after the other, or side by side, as one: no better than the worst of them. */
export function joinEstimates(value: number, parts: readonly Estimate[]): Estimate {
  if (parts.some((part) => part.value === null)) return nobodyKnows
  const rank = ({ source }: Estimate) => (source === null ? -1 : estimateSources.indexOf(source))
  const worst = parts.toSorted((one, other) => rank(other) - rank(one))[0]
  const learned = parts.filter(({ confidence }) => confidence !== null)
  return {
    value,
    source: worst?.source ?? null,
    sample: learned.length === 0 ? 0 : Math.min(...learned.map(({ sample }) => sample)),
    confidence: learned.length === 0 ? null : Math.min(...learned.map(({ confidence }) => confidence ?? 0)),
  }
}
