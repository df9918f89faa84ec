import type { ProviderName } from '../providers/provider.ts'

/** The calls of this process that providers are working on. */
export interface CallsUnderWay {
  /** One begins; the answer ends it, and may be called more than once. */
  begin(provider: ProviderName): () => void
  count(provider: ProviderName): number
}

export function createCallsUnderWay(): CallsUnderWay {
  const counts = new Map<ProviderName, number>()
  const add = (provider: ProviderName, by: 1 | -1) => counts.set(provider, (counts.get(provider) ?? 0) + by)
  return {
    begin(provider) {
      let over = false
      add(provider, 1)
      return () => {
        if (over) return
        over = true
        add(provider, -1)
      }
    },
    count: (provider) => counts.get(provider) ?? 0,
  }
}
