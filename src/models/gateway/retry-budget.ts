import type { ProviderName } from '../providers/provider.ts'

/** Bounds the retries at each provider: during an outage they must not multiply its load. */
export interface RetryBudget {
  /** Counts the first attempt of a call at a provider. */
  countCall(provider: ProviderName): void
  /** Takes one retry; false when the budget of the provider is used up. */
  take(provider: ProviderName): boolean
}

interface Second {
  /** Whole seconds of the monotonic clock. */
  readonly at: number
  calls: number
  retries: number
}

const windowSeconds = 10
/** Retries for each call of the window. */
const share = 0.2
/** Retries of a window that are always allowed, for providers with few calls. */
const minRetries = 3
/** The least recently used providers are forgotten; there are far fewer. */
const maxProviders = 1000

/** In each window of ten seconds, a fifth of the calls of a provider may be retried, and at least three. */
export function createRetryBudget(nowMs: () => number = () => performance.now()): RetryBudget {
  const known = new Map<ProviderName, Second[]>()

  /** The seconds of the window, the current one last. */
  function windowOf(provider: ProviderName): { readonly seconds: readonly Second[]; readonly now: Second } {
    const at = Math.floor(nowMs() / 1000)
    const seconds = (known.get(provider) ?? []).filter((second) => second.at > at - windowSeconds)
    const last = seconds.at(-1)
    const now = last?.at === at ? last : { at, calls: 0, retries: 0 }
    if (now !== last) seconds.push(now)
    known.delete(provider)
    known.set(provider, seconds)
    const [oldest] = known.keys()
    if (known.size > maxProviders && oldest !== undefined) known.delete(oldest)
    return { seconds, now }
  }

  return {
    countCall(provider) {
      windowOf(provider).now.calls += 1
    },
    take(provider) {
      const { seconds, now } = windowOf(provider)
      const calls = seconds.reduce((sum, second) => sum + second.calls, 0)
      const retries = seconds.reduce((sum, second) => sum + second.retries, 0)
      if (retries + 1 > Math.max(minRetries, calls * share)) return false
      now.retries += 1
      return true
    },
  }
}
