import { type Dispatcher, request } from 'undici'
import type { ProvidedModel } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import { failureOfStatus, readErrorBody, readRetrySeconds } from './status-failure.ts'

export interface FetchModelListOptions {
  readonly label: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  readonly key: string | undefined
  readonly signal?: AbortSignal | undefined
}

const listTimeoutMs = 10_000
/** The statuses of a server without a model list. */
const noListStatuses = new Set([404, 405, 501])
const maxListBytes = 8 * 1024 * 1024

/** Fetches a page of the model list of a provider; undefined when it has no list. Throws a ProviderFailure. */
export async function fetchModelList(options: FetchModelListOptions): Promise<unknown> {
  const { label, url, headers, dispatcher, key, signal } = options
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), listTimeoutMs)
  try {
    const response = await repeatIfClosed(() =>
      request(url, {
        dispatcher,
        headers: { accept: 'application/json', ...headers },
        signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
      }),
    )
    const body = parseJson(await readBounded(response.body, label))
    const { statusCode: status, headers: responseHeaders } = response
    if (status === 200) return body
    if (noListStatuses.has(status)) return undefined
    const retryAfterSeconds = readRetrySeconds(responseHeaders['retry-after'])
    throw failureOfStatus({ label, status, ...readErrorBody(body), retryAfterSeconds, key })
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    if (timeout.signal.aborted || signal?.aborted === true) {
      throw new ProviderFailure({ kind: 'timeout', message: `${label} did not list its models in time.` })
    }
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new ProviderFailure({
      kind: 'unavailable',
      message: `${label} cannot be reached${code}.`,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Repeats a request once when the server had closed the kept-alive connection. */
async function repeatIfClosed<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'UND_ERR_SOCKET' && code !== 'ECONNRESET') throw error
    return await send()
  }
}

async function readBounded(body: AsyncIterable<Buffer>, label: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxListBytes) {
      throw new ProviderFailure({
        kind: 'malformed',
        message: `${label} sent a model list that is too large.`,
      })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The model list of a provider, fetched on demand and cached. */
interface ModelListCache {
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
    const fetching = fetchWith(key)
    const settled = fetching.then(
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
