import {
  costFactor,
  evidenceOf,
  type Factor,
  middleOf,
  priorityWeights,
  qualityFactor,
  rounded,
  speedFactor,
  type Warning,
  warnOfUnusedProviders,
  weigh,
} from '#executions-api'
import { providerNames } from '#models'
import type { Category } from '../agents/definition.ts'
import { type Alternative, alternativesOf, type Market } from './alternatives.ts'
import type { Candidate } from './candidate.ts'
import { exclusionsOf, tooUncertain } from './exclusions.ts'
import { agentWords, type FitFactor, fitFactors } from './fit.ts'
import { successFactor } from './record.ts'
import { timeAvailable, type Wishes } from './wishes.ts'

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
const maxRecommended = 10

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
    recommendations: ranked.slice(0, maxRecommended).map(({ candidate, score }) => ({
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
  readonly confidence: number
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
    ...(row.length < 2 ? [] : [together('sequential', row, (times) => sum(times))]),
    ...(beside.length < 2 ? [] : [together('parallel', beside, (times) => Math.max(...times))]),
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

function together(
  type: Suggestion['type'],
  some: readonly Ranked[],
  timeOf: (times: readonly number[]) => number,
): Suggestion {
  const costs = known(some.map(({ candidate }) => candidate.estimate.cost.value))
  const times = known(some.map(({ candidate }) => candidate.estimate.duration.value))
  return {
    type,
    agents: some.map(({ candidate }) => candidate.agent.id),
    cost: costs === null ? null : sum(costs),
    ms: times === null ? null : timeOf(times),
    confidence: Math.min(...some.map(({ confidence }) => confidence)),
  }
}

/** Null unless all of them are known. */
function known(values: readonly (number | null)[]): readonly number[] | null {
  const found = values.filter((value) => value !== null)
  return found.length < values.length ? null : found
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** What half a score for cost or speed means: the middle of all agents, or half of what was allowed. */
interface Yardstick {
  readonly cost: number | null
  readonly ms: number | null
  /** All words that agents say of themselves. */
  readonly vocabulary: ReadonlySet<string>
}

interface Score {
  /** From 0 to 1: the mean of the factors by their weights. */
  readonly match: number
  readonly confidence: number
  /** What the match is made of. */
  readonly factors: readonly Factor[]
  /** What `fit` among them is made of. */
  readonly fit: readonly FitFactor[]
}

function yardstickOf(
  candidates: readonly Candidate[],
  wishes: Wishes,
  vocabulary: ReadonlySet<string>,
): Yardstick {
  const time = timeAvailable(wishes)
  return {
    cost:
      wishes.maxCost === undefined
        ? middleOf(candidates.map(({ estimate }) => estimate.cost.value))
        : wishes.maxCost / 2,
    ms: time === null ? middleOf(candidates.map(({ estimate }) => estimate.duration.value)) : time / 2,
    vocabulary,
  }
}

/** What is not known speaks neither for an agent nor against it: else whoever was never tried would look best. */
const neutral = 0.5

/** Judges an agent by how well it fits, and by what its runs have shown. */
function scoreOf(candidate: Candidate, wishes: Wishes, yardstick: Yardstick): Score {
  const weight = priorityWeights[wishes.prioritize]
  const fit = fitFactors(candidate, wishes, yardstick.vocabulary)
  const { record, estimate } = candidate
  const factors: readonly Factor[] = [
    { name: 'fit', weight: weight.fit, score: weigh(fit), evidence: 'How well it suits the request.' },
    { ...successFactor(record, wishes.risk), weight: weight.success },
    { ...qualityFactor(record.quality, wishes.qualityLevel), weight: weight.quality },
    { ...costFactor(estimate.cost.value, yardstick.cost), weight: weight.cost },
    { ...speedFactor(estimate.duration.value, yardstick.ms), weight: weight.speed },
  ]
  const judged = factors.map((factor) => ({ ...factor, score: factor.score ?? neutral }))
  return { match: rounded(weigh(judged) ?? neutral), confidence: confidenceOf(candidate, fit), factors, fit }
}

const parts = { history: 0.5, fit: 0.3, estimates: 0.2 } as const

/** How far each source of an estimate can be relied on. */
const reliance = { agent_history: 1, catalogue: 0.4 } as const

/**
 * How sure a recommendation is, from 0 to 1. It says nothing about whether the agent is good, only how much is known:
 *
 *     0.5 * n / (n + 10)     n runs that completed or failed
 *   + 0.3 * the share of what was asked that could be judged, by weight; 0 with nothing asked
 *   + 0.2 * the mean of how reliable the estimates of time and cost are: 1 from its own runs, 0.4 from prices, 0 without any
 */
function confidenceOf({ record, estimate }: Candidate, fit: readonly FitFactor[]): number {
  const asked = fit.filter((factor) => factor.asked)
  const total = sum(asked.map(({ weight }) => weight))
  const judged = sum(asked.map(({ weight, score }) => (score === null ? 0 : weight)))
  const estimates = [estimate.duration, estimate.cost].map(({ source }) =>
    source === null ? 0 : reliance[source],
  )
  return rounded(
    parts.history * evidenceOf(record) +
      parts.fit * (total === 0 ? 0 : judged / total) +
      parts.estimates * (sum(estimates) / estimates.length),
  )
}
