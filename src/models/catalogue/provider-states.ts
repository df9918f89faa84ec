import { kernelFailure } from '#kernel/errors'
import type { ModelProvider, ProviderName, ProviderProbe } from '../providers/provider.ts'
import type { ProviderRegistry } from '../providers/registry.ts'

/** The result of the last probe of a provider. */
export interface ProviderState extends ProviderProbe {
  readonly checkedAt: Date
}

/** Probes providers on demand and caches the results. Throws `not_found` for an unknown provider. */
export interface ProviderStates {
  /** The cached probe if it is fresh, else a new one. */
  current(name: ProviderName): Promise<ProviderState>
  /** Starts a new probe. Concurrent callers share one probe with the limits of the first. */
  probeNow(name: ProviderName, limits?: { readonly timeoutMs?: number | undefined }): Promise<ProviderState>
  /** Drops the cached probe after a change of the provider's API key. */
  invalidate(name: ProviderName): Promise<void>
}

export interface ProviderStatesOptions {
  readonly providers: ProviderRegistry
  /** How long a probe is fresh. */
  readonly freshMs?: number
  readonly timeoutMs?: number
  readonly now?: () => number
}

interface RunningProbe {
  readonly state: Promise<ProviderState>
  /** Undefined while the probe is running. */
  doneAt: number | undefined
}

export function createProviderStates(options: ProviderStatesOptions): ProviderStates {
  const { providers, freshMs = 30_000, timeoutMs = 5000, now = Date.now } = options
  /** By provider, so that the probe of changed settings is not that of earlier ones. */
  const probes = new WeakMap<ModelProvider, RunningProbe>()

  function begin(provider: ModelProvider, givenMs = timeoutMs): RunningProbe {
    const running: RunningProbe = { state: probe(provider, givenMs), doneAt: undefined }
    probes.set(provider, running)
    void trackEnd(running)
    return running
  }

  async function find(name: ProviderName): Promise<ModelProvider> {
    const found = (await providers.read()).get(name)
    if (found === undefined) {
      throw kernelFailure('not_found', { message: `There is no provider "${name}".` })
    }
    return found.provider
  }

  async function trackEnd(running: RunningProbe): Promise<void> {
    await Promise.allSettled([running.state])
    running.doneAt = now()
  }

  async function probe(provider: ModelProvider, givenMs: number): Promise<ProviderState> {
    const result = await provider.probe(AbortSignal.timeout(givenMs))
    return { ...result, checkedAt: new Date(now()) }
  }

  return {
    async current(name) {
      const provider = await find(name)
      const last = probes.get(provider)
      const isFresh = last !== undefined && (last.doneAt === undefined || now() - last.doneAt < freshMs)
      return await (isFresh ? last : begin(provider)).state
    },
    async probeNow(name, limits = {}) {
      const provider = await find(name)
      const last = probes.get(provider)
      const isRunning = last !== undefined && last.doneAt === undefined
      return await (isRunning ? last : begin(provider, limits.timeoutMs)).state
    },
    async invalidate(name) {
      const found = (await providers.read()).get(name)
      if (found !== undefined) probes.delete(found.provider)
    },
  }
}
