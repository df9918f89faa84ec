import type { ModelProvider, ProviderName, ProviderProbe } from '../providers/provider.ts'

/** The result of the last probe of a provider. */
export interface ProviderState extends ProviderProbe {
  readonly checkedAt: Date
}

/** Probes providers on demand and caches the results. */
export interface ProviderStates {
  /** The cached probe if it is fresh, else a new one. */
  current(name: ProviderName): Promise<ProviderState>
  /** Starts a new probe. Concurrent callers share one probe with the limits of the first. */
  probeNow(name: ProviderName, limits?: { readonly timeoutMs?: number | undefined }): Promise<ProviderState>
  /** Drops the cached probe after a change of the provider's settings. */
  invalidate(name: ProviderName): void
}

export interface ProviderStatesOptions {
  readonly providers: readonly ModelProvider[]
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
  const probes = new Map<ProviderName, RunningProbe>()

  function begin(name: ProviderName, givenMs = timeoutMs): RunningProbe {
    const provider = providers.find((candidate) => candidate.name === name)
    if (provider === undefined) throw new Error(`there is no provider ${name}`)
    const running: RunningProbe = { state: probe(provider, givenMs), doneAt: undefined }
    probes.set(name, running)
    void trackEnd(running)
    return running
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
      const last = probes.get(name)
      const isFresh = last !== undefined && (last.doneAt === undefined || now() - last.doneAt < freshMs)
      return await (isFresh ? last : begin(name)).state
    },
    async probeNow(name, limits = {}) {
      const last = probes.get(name)
      return await (last !== undefined && last.doneAt === undefined ? last : begin(name, limits.timeoutMs))
        .state
    },
    invalidate: (name) => void probes.delete(name),
  }
}
