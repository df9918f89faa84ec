import type { Category } from '../agents/definition.ts'
import type { Candidate } from './candidate.ts'

/** Agents that go together. Money in micro-dollars, times in milliseconds; null when any of them is not known. */
export interface Suggestion {
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

const mostTogether = 3

/** Who works before whom: what changes a text comes before what judges it. */
const order: readonly Category[] = ['transformation', 'content', 'seo', 'validation', 'analysis']

/** Those that only look at a text need not wait for each other. */
const onlyLook: readonly Category[] = ['analysis', 'validation', 'seo']

/** From agents with the best first: one of each kind in a row, and those that only look side by side. */
export function suggestWorkflows(ranked: readonly Ranked[]): Suggestion[] {
  const row = bestOfEach(ranked, order)
    .slice(0, mostTogether)
    .toSorted((left, right) => placeOf(left) - placeOf(right))
  const beside = bestOfEach(ranked, onlyLook).slice(0, mostTogether)
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
