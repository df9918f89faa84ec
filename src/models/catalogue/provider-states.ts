import type { ModelProvider, ProviderName, ProviderProbe } from '../providers/provider.ts'

/** How a provider was when it was last asked. */
export interface ProviderState extends ProviderProbe {
  readonly checkedAt: Date
}

/** Whether the providers can be asked. Each is looked at when somebody wants to know, and no more often than it must. */
export interface ProviderStates {
  /** As it was a moment ago, or as it is. */
  look(name: ProviderName): Promise<ProviderState>
  /** As it is now. Those who ask at the same time share one look, and the patience of the first. */
  lookNow(name: ProviderName, patience?: { readonly timeoutMs?: number | undefined }): Promise<ProviderState>
  /** Something about it changed, so what was seen before says nothing any more. */
  forget(name: ProviderName): void
}

export interface ProviderStatesOptions {
  readonly providers: readonly ModelProvider[]
  /** How long what was seen holds. */
  readonly freshMs?: number
  readonly timeoutMs?: number
  readonly now?: () => number
}

interface Look {
  readonly state: Promise<ProviderState>
  /** Undefined while it is under way. */
  doneAt: number | undefined
}

export function createProviderStates(options: ProviderStatesOptions): ProviderStates {
  const { providers, freshMs = 30_000, timeoutMs = 5000, now = Date.now } = options
  const looks = new Map<ProviderName, Look>()

  function begin(name: ProviderName, givenMs = timeoutMs): Look {
    const provider = providers.find((candidate) => candidate.name === name)
    if (provider === undefined) throw new Error(`there is no provider ${name}`)
    const look: Look = { state: probe(provider, givenMs), doneAt: undefined }
    looks.set(name, look)
    void noteEnd(look)
    return look
  }

  async function noteEnd(look: Look): Promise<void> {
    await Promise.allSettled([look.state])
    look.doneAt = now()
  }

  async function probe(provider: ModelProvider, givenMs: number): Promise<ProviderState> {
    const seen = await provider.probe(AbortSignal.timeout(givenMs))
    return { ...seen, checkedAt: new Date(now()) }
  }

  return {
    async look(name) {
      const last = looks.get(name)
      const holds = last !== undefined && (last.doneAt === undefined || now() - last.doneAt < freshMs)
      return await (holds ? last : begin(name)).state
    },
    async lookNow(name, patience = {}) {
      const last = looks.get(name)
      return await (last !== undefined && last.doneAt === undefined ? last : begin(name, patience.timeoutMs))
        .state
    },
    forget: (name) => void looks.delete(name),
  }
}
