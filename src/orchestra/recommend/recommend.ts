import { recommend } from '#executions-api'
import { providerNames } from '#models'
import type { Category } from '../agents/definition.ts'
import { type Alternative, alternativesOf, type Market } from './alternatives.ts'
import type { Candidate } from './candidate.ts'
import { exclusionsOf } from './exclusions.ts'
import { agentWords, fitFactors } from './fit.ts'
import type { Requirements } from './requirements.ts'

/** An agent that is recommended, and why. */
export interface Recommendation {
  readonly candidate: Candidate
  readonly score: recommend.Score
  readonly alternatives: readonly Alternative[]
}

export interface Advice {
  /** The best first. */
  readonly recommendations: readonly Recommendation[]
  readonly excluded: readonly { readonly id: string; readonly reasons: readonly string[] }[]
  readonly suggestions: readonly Suggestion[]
  readonly warnings: ReturnType<typeof recommend.warnOfUnusedProviders>
}

/** As many as somebody can compare. */
const maxRecommended = 10

/** Unknown factors count for half: else agents that were never run would score best. */
const unknownScore = 0.5

/** Leaves out what must not be, judges the rest, and puts the best first. */
export function recommendAgents(
  candidates: readonly Candidate[],
  requirements: Requirements,
  market: Market,
): Advice {
  const vocabulary = new Set(candidates.flatMap(({ agent }) => [...agentWords(agent)]))
  const baseline = recommend.baselineOf(candidates, requirements)
  const { ranked, excluded } = recommend.rankCandidates(candidates, {
    idOf: ({ agent }) => agent.id,
    scoreOf: (candidate) =>
      recommend.scoreCandidate(candidate, {
        fit: fitFactors(candidate, requirements, vocabulary),
        success: recommend.successFactor(candidate.record, { noun: 'runs', risk: requirements.risk }),
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
    warnings: recommend.warnOfUnusedProviders({
      preferred: requirements.providers,
      selected: ranked.map(({ candidate }) => candidate.model),
      catalogue: market.catalogue,
      providerNames,
    }),
    suggestions: suggestWorkflows(ranked),
  }
}

/** Agents that go together. Money in micro-dollars, times in milliseconds; null when any of them is not known. */
interface Suggestion {
  readonly type: 'sequential' | 'parallel'
  readonly agents: readonly string[]
  readonly cost: number | null
  readonly ms: number | null
  /** That of the one of which least is known. */
  readonly confidence: number
}

interface Ranked {
  readonly candidate: Candidate
  readonly score: Pick<recommend.Score, 'confidence'>
}

const maxPerBatch = 3

/** Who works before whom: what changes a text comes before what judges it. */
const order: readonly Category[] = ['transformation', 'content', 'seo', 'validation', 'analysis']

/** Those that only look at a text need not wait for each other. */
const onlyLook: readonly Category[] = ['analysis', 'validation', 'seo']

/** From agents with the best first: one of each kind in a row, and those that only look side by side. */
function suggestWorkflows(ranked: readonly Ranked[]): Suggestion[] {
  const row = bestOfEach(ranked, order)
    .slice(0, maxPerBatch)
    .toSorted((left, right) => placeOf(left) - placeOf(right))
  const beside = bestOfEach(ranked, onlyLook).slice(0, maxPerBatch)
  return [
    ...(row.length < 2 ? [] : [together('sequential', row)]),
    ...(beside.length < 2 ? [] : [together('parallel', beside)]),
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

function placeOf({ candidate }: Ranked): number {
  return order.indexOf(candidate.agent.category)
}

function together(type: Suggestion['type'], ranked: readonly Ranked[]): Suggestion {
  const candidates = ranked.map(({ candidate }) => candidate)
  return {
    type,
    agents: candidates.map(({ agent }) => agent.id),
    ...recommend.combinedEstimate(candidates, type),
    confidence: Math.min(...ranked.map(({ score }) => score.confidence)),
  }
}
