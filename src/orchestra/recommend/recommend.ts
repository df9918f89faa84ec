import { criteria, scoring } from '#executions-api'
import { providerNames } from '#models'
import type { Category } from '../agents/definition.ts'
import { type Alternative, alternativesOf, type Market } from './alternatives.ts'
import type { Candidate } from './candidate.ts'
import { exclusionsOf } from './exclusions.ts'
import { agentWords, fitFactors } from './fit.ts'
import type { Requirements } from './requirements.ts'

export interface Recommendation {
  readonly candidate: Candidate
  readonly score: scoring.Score
  readonly alternatives: readonly Alternative[]
}

export interface Advice {
  /** The best first. */
  readonly recommendations: readonly Recommendation[]
  readonly excluded: readonly { readonly id: string; readonly reasons: readonly string[] }[]
  readonly suggestions: readonly Suggestion[]
  readonly warnings: ReturnType<typeof criteria.warnOfUnusedProviders>
}

const maxRecommended = 10

/** Unknown factors count for half: else agents that were never run would score best. */
const unknownScore = 0.5

/** Excludes agents that do not meet the requirements, and ranks the others. */
export function recommendAgents(
  candidates: readonly Candidate[],
  requirements: Requirements,
  market: Market,
): Advice {
  const vocabulary = new Set(candidates.flatMap(({ agent }) => [...agentWords(agent)]))
  const baseline = scoring.baselineOf(candidates, requirements)
  const { ranked, excluded } = scoring.rankCandidates(candidates, {
    idOf: ({ agent }) => agent.id,
    scoreOf: (candidate) =>
      scoring.scoreCandidate(candidate, {
        fit: fitFactors(candidate, requirements, vocabulary),
        success: scoring.successFactor(candidate.record, { noun: 'runs', risk: requirements.risk }),
        limits: requirements,
        baseline,
        unknownScore,
      }),
    exclusionsOf: (candidate) => exclusionsOf(candidate, requirements),
    limits: requirements,
  })
  return {
    recommendations: ranked
      .slice(0, maxRecommended)
      .map((it) => ({ ...it, alternatives: alternativesOf(it.candidate, requirements, market) })),
    excluded,
    warnings: criteria.warnOfUnusedProviders({
      preferred: requirements.providers,
      selected: ranked.map(({ candidate }) => candidate.model),
      catalogue: market.catalogue,
      providerNames,
    }),
    suggestions: suggestWorkflows(ranked),
  }
}

/** A combination of agents. Money in micro-dollars, times in milliseconds; null when one of them is unknown. */
interface Suggestion {
  readonly type: 'sequential' | 'parallel'
  readonly agents: readonly string[]
  readonly cost: number | null
  readonly ms: number | null
  /** The lowest confidence of its agents. */
  readonly confidence: number
}

interface Ranked {
  readonly candidate: Candidate
  readonly score: Pick<scoring.Score, 'confidence'>
}

const maxCombined = 3

/** Agents that change a text run before agents that check it. */
const order: readonly Category[] = ['transformation', 'content', 'seo', 'validation', 'analysis']

/** Agents that do not change the text can run in parallel. */
const readOnlyCategories: readonly Category[] = ['analysis', 'validation', 'seo']

/** One agent of each category in sequence, and the read-only agents in parallel. */
function suggestWorkflows(ranked: readonly Ranked[]): Suggestion[] {
  const sequence = bestOfEach(ranked, order)
    .slice(0, maxCombined)
    .toSorted((left, right) => positionOf(left) - positionOf(right))
  const parallel = bestOfEach(ranked, readOnlyCategories).slice(0, maxCombined)
  return [
    ...(sequence.length < 2 ? [] : [combine('sequential', sequence)]),
    ...(parallel.length < 2 ? [] : [combine('parallel', parallel)]),
  ]
}

function bestOfEach(ranked: readonly Ranked[], categories: readonly Category[]): readonly Ranked[] {
  const seen = new Set<Category>()
  return ranked.filter(({ candidate: { agent } }) => {
    if (!categories.includes(agent.category) || seen.has(agent.category)) return false
    seen.add(agent.category)
    return true
  })
}

function positionOf({ candidate }: Ranked): number {
  return order.indexOf(candidate.agent.category)
}

function combine(type: Suggestion['type'], ranked: readonly Ranked[]): Suggestion {
  const candidates = ranked.map(({ candidate }) => candidate)
  return {
    type,
    agents: candidates.map(({ agent }) => agent.id),
    ...scoring.combinedEstimate(candidates, type),
    confidence: Math.min(...ranked.map(({ score }) => score.confidence)),
  }
}
