import type { ProvidedModel } from './provider.ts'

/** The model list of a provider, fetched on demand and cached. */
export interface ModelListCache {
  /** Never throws: the models of an unreachable provider are its last known ones, marked unavailable. */
  read(key: string | undefined): Promise<readonly ProvidedModel[]>
  /** Fetches the list now. Throws when that fails. */
  refresh(key: string | undefined, signal: AbortSignal): Promise<readonly ProvidedModel[]>
}

interface ModelListCacheOptions {
  readonly fetch: (key: string | undefined, signal?: AbortSignal) => Promise<readonly ProvidedModel[]>
  /** The list before the first fetch. */
  readonly initially?: readonly ProvidedModel[]
  readonly freshMs?: number
  /** How long a failure is cached, so that an unavailable provider is not requested by every caller. */
  readonly failedMs?: number
  readonly now?: () => number
}

export function createModelListCache(options: ModelListCacheOptions): ModelListCache {
  const { fetch, initially = [], freshMs = 5 * 60_000, failedMs = 30_000, now = Date.now } = options
  let known = initially
  let freshUntil = Number.NEGATIVE_INFINITY
  /** The key of the cached list: another key may see other models. */
  let cachedKey: string | undefined
  let loading: Promise<void> | undefined

  async function fetchWith(key: string | undefined, signal?: AbortSignal): Promise<readonly ProvidedModel[]> {
    if (key !== cachedKey) {
      known = initially
      freshUntil = Number.NEGATIVE_INFINITY
      loading = undefined
      cachedKey = key
    }
    try {
      const models = await fetch(key, signal)
      if (key === cachedKey) [known, freshUntil] = [models, now() + freshMs]
      return models
    } catch (error) {
      const unavailable = known.map((model) => ({ ...model, available: false }))
      if (key === cachedKey) [known, freshUntil] = [unavailable, now() + failedMs]
      throw error
    }
  }

  /** Concurrent readers share one fetch. */
  async function load(key: string | undefined): Promise<void> {
    const request = fetchWith(key)
    const settled = request.then(
      () => undefined,
      // The failure is cached: all models are unavailable.
      () => undefined,
    )
    loading = settled
    await settled
    if (loading === settled) loading = undefined
  }

  return {
    refresh: fetchWith,
    async read(key) {
      if (key !== cachedKey || now() >= freshUntil) {
        await (key === cachedKey && loading !== undefined ? loading : load(key))
      }
      return known
    },
  }
}
