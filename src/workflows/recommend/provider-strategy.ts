import { rulesOf } from '#engine'
import type { Candidate } from './candidate.ts'
import type { Requirements } from './requirements.ts'

export interface ProviderStrategy {
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
  const asking = definition.steps.filter(({ type }) => type === 'ai_prompt')
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
