import { createHash } from 'node:crypto'
import type { ModelCall, ModelPart, ProviderName } from '../providers/provider.ts'
import type { ChatRequest } from './contract.ts'
import { bytesOfParts, type ResponseCache } from './response-cache.ts'

/** What the response cache has for a call. After a miss, `store` collects the parts of the response for the next lookup. */
type CacheLookup =
  | { readonly state: 'off' }
  | { readonly state: 'hit'; readonly parts: readonly ModelPart[] }
  | { readonly state: 'miss'; readonly store: (part: ModelPart) => void }

/** Looks a call up in the response cache, unless the request turns the cache off or the call is not deterministic. */
export function lookUpResponse(
  cache: ResponseCache,
  { accountId, cache: mode }: Pick<ChatRequest, 'accountId' | 'cache'>,
  provider: ProviderName,
  call: ModelCall,
): CacheLookup {
  const key = cache.enabled && mode !== 'off' ? cacheKeyOf(accountId, provider, call) : undefined
  if (key === undefined) return { state: 'off' }
  const parts = mode === 'use' ? cache.get(key) : undefined
  if (parts !== undefined) return { state: 'hit', parts }
  return { state: 'miss', store: collectForCache(cache, key) }
}

/** Collects the parts of a response and stores it at its end. A response above the size bound is dropped at once. */
function collectForCache(cache: ResponseCache, key: string): (part: ModelPart) => void {
  let collected: ModelPart[] | undefined = []
  return (part) => {
    if (collected === undefined) return
    if (part.type === 'end') {
      if (part.finish !== 'other') cache.put(key, [...collected, withoutDurations(part)])
      collected = undefined
      return
    }
    const last = collected.at(-1)
    if (last?.type === part.type) collected[collected.length - 1] = { ...last, text: last.text + part.text }
    else collected.push(part)
    if (bytesOfParts(collected) > cache.maxResponseBytes) collected = undefined
  }
}

/** The durations that a node measured do not hold for a response from the cache. */
function withoutDurations(end: ModelPart & { readonly type: 'end' }): ModelPart {
  if (end.runtime === undefined) return end
  const kept = Object.entries(end.runtime).filter(([name]) => !name.endsWith('_duration'))
  return { ...end, runtime: Object.fromEntries(kept) }
}

/** Runtime fields that only affect the text of a response. Others load models or continue a conversation. */
const statelessFields: ReadonlySet<string> = new Set([
  'options',
  'raw',
  'template',
  'suffix',
  'think',
  'images',
])

/** Whether the same request always gets the same response. */
function isDeterministic(provider: ProviderName, { temperature, seed, runtime = {} }: ModelCall): boolean {
  if (provider === 'builtin') return true
  return (
    (temperature === 0 || seed !== undefined) &&
    Object.keys(runtime).every((field) => statelessFields.has(field))
  )
}

/** The cache key of a call, undefined for a call that is not cached. It contains the account: accounts share no responses. */
export function cacheKeyOf(accountId: string, provider: ProviderName, call: ModelCall): string | undefined {
  if (!isDeterministic(provider, call)) return undefined
  const canonical = JSON.stringify([accountId, provider, { ...call, session: undefined }], sortKeys)
  return createHash('sha256').update(canonical).digest('base64')
}

/** A JSON replacer that makes the text independent of the order of keys. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}
