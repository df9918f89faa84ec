/**
 * Where an estimate comes from, the best first.
 *
 * | source            | means                                                                          |
 * |-------------------|--------------------------------------------------------------------------------|
 * | flow_history      | executions of this flow in the last weeks                                      |
 * | step_type_history | steps of the same type in other flows                                          |
 * | catalogue         | the price and token limit of the model; or that the step calls no model        |
 * | metadata          | what the author of the flow expects                                            |
 */
const estimateSources = ['flow_history', 'step_type_history', 'catalogue', 'metadata'] as const
export type EstimateSource = (typeof estimateSources)[number]

/** An estimated duration in milliseconds, or cost in micro-dollars. */
export interface Estimate {
  /** Null: unknown. */
  readonly value: number | null
  readonly source: EstimateSource | null
  /** The number of executions or steps it is based on. */
  readonly sample: number
  /** 0 to 1, from the size and the spread of the sample; null when it is not based on history. */
  readonly confidence: number | null
}

export const unknownEstimate: Estimate = { value: null, source: null, sample: 0, confidence: null }

/** The sample size with half of the confidence. */
const halfwaySample = 5

/** A larger sample and a smaller spread raise the confidence: `n / (n + 5) / (1 + spread)`. */
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

/** Four decimals: further digits would suggest a precision that an estimate does not have. */
export function roundedConfidence(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000
}

/** Combines estimates of sequential or parallel steps: the result is as weak as the weakest of them. */
export function joinEstimates(value: number, parts: readonly Estimate[]): Estimate {
  if (parts.some((part) => part.value === null)) return unknownEstimate
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
