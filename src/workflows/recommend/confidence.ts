import { evidenceOf, rounded } from '#runs'
import type { Candidate } from './candidate.ts'
import type { Score } from './score.ts'

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
