import { providerNames } from '#models'
import { type Warning, warnOfUnusedProviders } from '#runs'
import { type Alternative, alternativesOf, type Market } from './alternatives.ts'
import type { Candidate } from './candidate.ts'
import { exclusionsOf, tooUncertain } from './exclusions.ts'
import { agentWords } from './fit.ts'
import { type Score, scoreOf, yardstickOf } from './score.ts'
import { type Suggestion, suggestWorkflows } from './suggestions.ts'
import type { Wishes } from './wishes.ts'

/** An agent that is recommended, and why. */
export interface Recommendation {
  readonly candidate: Candidate
  readonly score: Score
  readonly alternatives: readonly Alternative[]
}

export interface Advice {
  /** The best first. */
  readonly recommendations: readonly Recommendation[]
  readonly excluded: readonly { readonly agentId: string; readonly reasons: readonly string[] }[]
  readonly suggestions: readonly Suggestion[]
  readonly warnings: readonly Warning[]
}

/** As many as somebody can compare. */
const mostRecommended = 10

/** Leaves out what must not be, judges the rest, and puts the best first. */
export function recommendAgents(candidates: readonly Candidate[], wishes: Wishes, market: Market): Advice {
  const vocabulary = new Set(candidates.flatMap(({ agent }) => [...agentWords(agent)]))
  const yardstick = yardstickOf(candidates, wishes, vocabulary)
  const judged = candidates.map((candidate) => {
    const score = scoreOf(candidate, wishes, yardstick)
    const reasons = [...exclusionsOf(candidate, wishes), ...tooUncertain(score.confidence, wishes)]
    return { candidate, score, reasons }
  })
  const ranked = judged
    .filter(({ reasons }) => reasons.length === 0)
    .toSorted(
      (left, right) =>
        right.score.match - left.score.match ||
        right.score.confidence - left.score.confidence ||
        left.candidate.agent.id.localeCompare(right.candidate.agent.id),
    )
  return {
    recommendations: ranked.slice(0, mostRecommended).map(({ candidate, score }) => ({
      candidate,
      score,
      alternatives: alternativesOf(candidate, wishes, market),
    })),
    excluded: judged
      .filter(({ reasons }) => reasons.length > 0)
      .map(({ candidate, reasons }) => ({ agentId: candidate.agent.id, reasons })),
    warnings: warnOfUnusedProviders({
      preferred: wishes.providers,
      answering: ranked.map(({ candidate }) => candidate.model),
      catalogue: market.catalogue,
      providerNames,
    }),
    suggestions: suggestWorkflows(
      ranked.map(({ candidate, score }) => ({ candidate, confidence: score.confidence })),
    ),
  }
}
