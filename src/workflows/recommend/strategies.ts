import { allSteps, kindOf, rulesOf, sendsPrompt } from '#engine'
import { scoring, units } from '#executions-api'
import type { Candidate } from './candidate.ts'
import { flowWords, type Need, needsOf } from './needs.ts'
import type { Requirements } from './requirements.ts'

/** Two flows that cover more needs together than the best flow alone. Money in micro-dollars, times in milliseconds. */
export interface Strategy {
  readonly strategy: 'sequential' | 'parallel'
  readonly description: string
  readonly flows: readonly string[]
  readonly cost: number | null
  readonly ms: number | null
  /** The share of the needs that both cover, from 0 to 1. */
  readonly coverage: number
  /** Grows with the steps that call external services, because their effects could conflict. */
  readonly coordination: 'low' | 'medium' | 'high'
}

/** Pairs the best flow with the flow that covers most of the needs it leaves open. Without such a flow there is no strategy. */
export function strategiesFor(ranked: readonly Candidate[], requirements: Requirements): Strategy[] {
  const [best, ...others] = ranked
  const needs = needsOf(requirements)
  if (best === undefined || needs.length === 0) return []
  const alone = coverageOf(needs, [best])
  const pairs = others.map((other) => ({ other, coverage: coverageOf(needs, [best, other]) }))
  const [pair] = pairs.toSorted((left, right) => right.coverage - left.coverage)
  if (pair === undefined || pair.coverage <= alone) return []
  const { other, coverage } = pair
  const gain = `covers ${percent(coverage)} of what is wanted instead of ${percent(alone)}`
  const [first, second] = [best.flow.flowId, other.flow.flowId]
  const both = {
    flows: [first, second],
    coverage: units.round(coverage, 3),
    coordination: coordinationOf(best, other),
  }
  const sequential: Strategy = {
    ...both,
    strategy: 'sequential',
    ...scoring.combinedEstimate([best, other], 'sequential'),
    description: `"${second}" on what "${first}" made: together this ${gain}.`,
  }
  if (requirements.maxConcurrent === 1) return [sequential]
  const parallel: Strategy = {
    ...both,
    strategy: 'parallel',
    ...scoring.combinedEstimate([best, other], 'parallel'),
    description: `"${first}" and "${second}" side by side on the same content: this ${gain}, in the time of the longer one.`,
  }
  return [sequential, parallel]
}

/** The share of the needs that at least one of these flows covers, from 0 to 1. */
function coverageOf(needs: readonly Need[], candidates: readonly Candidate[]): number {
  const words = candidates.map(flowWords)
  const total = needs.reduce((sum, { weight }) => sum + weight, 0)
  const covered = needs.reduce(
    (sum, { weight, coveredBy }) => sum + weight * Math.max(...words.map((each) => sureOf(coveredBy(each)))),
    0,
  )
  return total === 0 ? 0 : covered / total
}

/** A single common word is chance; a match of more than half of the words is not. */
function sureOf(share: number): number {
  return share > 0.5 ? share : 0
}

function coordinationOf(...candidates: readonly Candidate[]): Strategy['coordination'] {
  const reaching = candidates.filter(({ flow }) =>
    allSteps(flow.definition.steps).some((step) => kindOf(step).traits.callsServices),
  )
  if (reaching.length === candidates.length) return 'high'
  return reaching.length === 0 ? 'low' : 'medium'
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

interface ProviderStrategy {
  readonly primary_provider: string | null
  readonly providers: string[]
  readonly models: { step_id: string; model: string | null; provider: string | null; named: boolean }[]
  readonly preferred_providers_used: string[]
  readonly fallback: string
}

/** The providers that the steps of a flow would use now, and the fallback. */
export function providerStrategyOf(
  { flow, models }: Candidate,
  requirements: Pick<Requirements, 'providers'>,
): ProviderStrategy {
  const providers = models.flatMap(({ entry }) => entry?.provider ?? [])
  const [primary = null] = mostFrequent(providers)
  return {
    primary_provider: primary,
    providers: [...new Set(providers)],
    models: models.map(({ stepId, named, entry }) => ({
      step_id: stepId,
      model: entry?.model.id ?? named,
      provider: entry?.provider ?? null,
      named: named !== null,
    })),
    preferred_providers_used: requirements.providers.filter((name) =>
      providers.some((provider) => provider === name),
    ),
    fallback: describeFallback(flow, models),
  }
}

function describeFallback({ definition }: Candidate['flow'], models: Candidate['models']): string {
  if (models.length === 0) return 'No step calls a model.'
  const rules = rulesOf(definition, { context: {}, options: {} }, new Date(0))
  const asking = allSteps(definition.steps).filter((step) => sendsPrompt(step))
  const moves = asking.filter((step) => rules.onFailureOf(step) === 'retry_with_different_provider')
  if (moves.length === asking.length) return 'Every step asks another provider when one cannot answer.'
  if (moves.length > 0)
    return `${moves.length} of ${asking.length} steps ask another provider when one cannot answer.`
  return 'No step asks another provider by itself; ai_options.fallback_enabled allows it for an execution.'
}

function mostFrequent<Name extends string>(names: readonly Name[]): Name[] {
  const counts = Map.groupBy(names, (name) => name)
  return [...counts].toSorted(([, left], [, right]) => right.length - left.length).map(([name]) => name)
}
