import type { Models, ProbedProvider } from '#models'
import type { Probe, ServiceName } from '../services/service.ts'

export type ProvidedService = Extract<ServiceName, 'ollama' | 'openai' | 'anthropic'>

interface ProviderLookOptions {
  readonly providers: Pick<Models['providers'], 'probe'>
  readonly timeoutMs: number
  readonly slowMs: Readonly<Record<ServiceName, number>>
}

/** Looks at all providers of models at once, when the first of them is wanted. */
export function lookAtProviders({ providers, timeoutMs, slowMs }: ProviderLookOptions) {
  let looking: Promise<readonly ProbedProvider[]> | undefined
  return async (service: ProvidedService): Promise<ProbedProvider> => {
    looking ??= providers.probe({
      timeoutMs,
      slowMs: (provider) => (provider === 'builtin' ? undefined : slowMs[provider]),
    })
    const found = (await looking).find(({ name }) => name === service)
    if (found === undefined) throw new Error(`there is no provider ${service}`)
    return found
  }
}

/** A cloud has every model it lists at hand, so all of them count as loaded. */
export function createCloudProbe(
  lookAt: (service: ProvidedService) => Promise<ProbedProvider>,
  service: ProvidedService,
): Probe {
  return async () => {
    const { state, problem, responseMs, models } = await lookAt(service)
    const isThere = state === 'online' || state === 'degraded'
    return { state, problem, responseMs, metadata: { models_loaded: isThere ? models.length : null } }
  }
}
