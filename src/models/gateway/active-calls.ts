import type { ProviderName } from '../providers/provider.ts'

/** Counts the running calls of this process by provider. */
export interface ActiveCalls {
  /** Counts a call that starts. The returned function ends it and may be called more than once. */
  start(provider: ProviderName): () => void
  count(provider: ProviderName): number
}

export function createActiveCalls(): ActiveCalls {
  const counts = new Map<ProviderName, number>()
  const add = (provider: ProviderName, by: 1 | -1) => counts.set(provider, (counts.get(provider) ?? 0) + by)
  return {
    start(provider) {
      let ended = false
      add(provider, 1)
      return () => {
        if (ended) return
        ended = true
        add(provider, -1)
      }
    },
    count: (provider) => counts.get(provider) ?? 0,
  }
}
