import { createHash } from 'node:crypto'
import type { ModelCall, ProviderName } from '../providers/provider.ts'

/** Fields for nodes that shape the answer and do nothing else. Others load models or carry a conversation on. */
const statelessFields: ReadonlySet<string> = new Set([
  'options',
  'raw',
  'template',
  'suffix',
  'think',
  'images',
])

/** The same words always get the same answer. */
function isDeterministic(provider: ProviderName, { temperature, seed, runtime = {} }: ModelCall): boolean {
  if (provider === 'builtin') return true
  return (
    (temperature === 0 || seed !== undefined) &&
    Object.keys(runtime).every((field) => statelessFields.has(field))
  )
}

/** What a call is remembered by, or undefined when it is not to be. Nobody is answered from another account's calls. */
export function cacheKeyOf(accountId: string, provider: ProviderName, call: ModelCall): string | undefined {
  if (!isDeterministic(provider, call)) return undefined
  const canonical = JSON.stringify([accountId, provider, { ...call, session: undefined }], sortKeys)
  return createHash('sha256').update(canonical).digest('base64')
}

/** Two objects that say the same are written the same. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}
