import type { ModelsTask } from '../clean-up.ts'
import type { CallsUnderWay } from '../gateway/calls-under-way.ts'
import type { ModelProvider, ProviderName } from '../providers/provider.ts'
import type { ProviderStanding } from './judge-probe.ts'
import type { Standings } from './standings.ts'

/** A provider as all replicas know it, with what this process knows besides. */
export interface ProviderView extends Omit<ProviderStanding, 'provider' | 'seenStatus'> {
  readonly name: ProviderName
  /** Calls of this process that it is working on. */
  readonly activeCalls: number
  /** How many more requests it takes for now, as its last answer to this process said; null when it does not say. */
  readonly rateLimitRemaining: number | null
}

/** Who provides models, and how they are. In the order in which they are asked. */
export interface ProviderDirectory {
  /** As some replica saw them last; one that nobody has looked at yet is looked at now. */
  states(): Promise<readonly ProviderView[]>
  /** As they are now: each is asked, for five seconds at most. What is seen is stored, and changes are told. */
  check(): Promise<readonly ProviderView[]>
  /** Of all replicas, one at a time looks at them. */
  readonly probing: ModelsTask
}

export interface ProviderDirectoryOptions {
  readonly providers: readonly ModelProvider[]
  readonly standings: Standings
  readonly calls: Pick<CallsUnderWay, 'count'>
}

const probeEveryMs = 30_000

export function createProviderDirectory(options: ProviderDirectoryOptions): ProviderDirectory {
  const { providers, standings, calls } = options

  function view({ provider: name, ...standing }: ProviderStanding): ProviderView {
    const provider = providers.find((candidate) => candidate.name === name)
    return {
      name,
      status: standing.status,
      responseMs: standing.responseMs,
      models: standing.models,
      lastError: standing.lastError,
      checkedAt: standing.checkedAt,
      changedAt: standing.changedAt,
      activeCalls: calls.count(name),
      rateLimitRemaining: provider?.rateLimitRemaining?.() ?? null,
    }
  }

  return {
    states: async () => (await standings.read()).map(view),
    check: async () => (await standings.check()).map(view),
    probing: {
      name: 'models.probe-providers',
      everyMs: probeEveryMs,
      run: async () => void (await standings.check()),
    },
  }
}
