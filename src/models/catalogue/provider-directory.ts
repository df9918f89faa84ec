import type { ActiveCalls } from '../gateway/active-calls.ts'
import type { ProviderName } from '../providers/provider.ts'
import type { ProviderRegistry, RegisteredProvider, RegisteredProviders } from '../providers/registry.ts'
import type { ProviderHealth } from './classify-probe.ts'
import type { ProbeLimits, ProviderHealthStore } from './provider-health.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** The health of a provider with the counters of this process. */
export interface ProviderView extends Omit<ProviderHealth, 'provider' | 'seenStatus'> {
  readonly name: ProviderName
  /** Running calls of this process. */
  readonly activeCalls: number
  /** Remaining requests of its rate limit, from its last response to this process; null when unknown. */
  readonly rateLimitRemaining: number | null
}

/** The providers with their health and settings, in the order of the default chain. */
export interface ProviderDirectory {
  /** The names of the providers. */
  names(): Promise<readonly ProviderName[]>
  /** The health that the last probe of any replica stored. A provider without a stored probe is probed now. */
  states(): Promise<readonly ProviderView[]>
  /** Probes all providers now, for at most five seconds each, stores the result and publishes changes. */
  check(): Promise<readonly ProviderView[]>
  /** Does the same, but returns the results of the probes themselves. The status module calls this on one replica. */
  probe(limits: ProbeLimits): Promise<readonly ProbedProvider[]>
  /** Address and API key source of each provider. */
  settings(): Promise<readonly ProviderSettings[]>
}

/** The result of one probe of a provider. */
export interface ProbedProvider {
  readonly name: ProviderName
  readonly state: ProviderHealth['status']
  /** A description of the problem; null when there is none. */
  readonly problem: string | null
  readonly responseMs: number | null
  readonly models: readonly string[]
}

export interface ProviderDirectoryOptions {
  readonly providers: ProviderRegistry
  readonly healthStore: ProviderHealthStore
  readonly calls: Pick<ActiveCalls, 'count'>
  readonly describe: (registered: RegisteredProvider) => Promise<ProviderSettings>
}

export function createProviderDirectory(options: ProviderDirectoryOptions): ProviderDirectory {
  const { providers, healthStore, calls, describe } = options

  function view({ provider: name, ...health }: ProviderHealth, known: RegisteredProviders): ProviderView {
    return {
      name,
      status: health.status,
      responseMs: health.responseMs,
      models: health.models,
      lastError: health.lastError,
      checkedAt: health.checkedAt,
      changedAt: health.changedAt,
      activeCalls: calls.count(name),
      rateLimitRemaining: known.get(name)?.provider.rateLimitRemaining?.() ?? null,
    }
  }

  async function viewAll(all: readonly ProviderHealth[]): Promise<readonly ProviderView[]> {
    const known = await providers.read()
    return all.map((health) => view(health, known))
  }

  return {
    names: async () => [...(await providers.read()).keys()],
    states: async () => viewAll(await healthStore.read()),
    check: async () => viewAll(await healthStore.check()),
    probe: async (limits) =>
      (await healthStore.check(limits)).map(({ provider, seenStatus, lastError, responseMs, models }) => ({
        name: provider,
        state: seenStatus,
        problem: lastError,
        responseMs,
        models,
      })),
    settings: async () => await Promise.all([...(await providers.read()).values()].map(describe)),
  }
}
