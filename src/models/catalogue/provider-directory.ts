import type { CallsUnderWay } from '../gateway/calls-under-way.ts'
import type { ModelProvider, ProviderName } from '../providers/provider.ts'
import type { ProviderStanding } from './judge-probe.ts'
import type { ProviderSettings } from './provider-settings.ts'
import type { ProbePatience, Standings } from './standings.ts'

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
  /** The same, and answers what was seen just now, whether or not it is believed. Whoever keeps watch calls this, on one replica. */
  probe(patience: ProbePatience): Promise<readonly ProbedProvider[]>
  /** How they are set up. */
  settings(): Promise<readonly ProviderSettings[]>
}

/** What one look at a provider saw. */
export interface ProbedProvider {
  readonly name: ProviderName
  readonly state: ProviderStanding['status']
  /** What is wrong, for people; null when nothing is. */
  readonly problem: string | null
  readonly responseMs: number | null
  readonly models: readonly string[]
}

export interface ProviderDirectoryOptions {
  readonly providers: readonly ModelProvider[]
  readonly standings: Standings
  readonly calls: Pick<CallsUnderWay, 'count'>
  readonly describe: (name: ProviderName) => Promise<ProviderSettings>
}

export function createProviderDirectory(options: ProviderDirectoryOptions): ProviderDirectory {
  const { providers, standings, calls, describe } = options

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
    probe: async (patience) =>
      (await standings.check(patience)).map(({ provider, seenStatus, lastError, responseMs, models }) => ({
        name: provider,
        state: seenStatus,
        problem: lastError,
        responseMs,
        models,
      })),
    settings: () => Promise.all(providers.map(({ name }) => describe(name))),
  }
}
