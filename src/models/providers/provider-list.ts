import { defineSettings, refineSetting, setting } from '#kernel/config'
import type { ProviderName } from './provider.ts'
import { providerNamePattern, reservedProviderNames } from './registry.ts'
import { readServerUrl } from './server-url.ts'

const maxListed = 100

/** OpenAI-compatible providers besides OPENAI_BASE_URL, and their keys. */
export const providerListSettings = defineSettings({
  /** Base URLs by name. */
  providerList: refineSetting(
    setting.list('TUTTI_PROVIDERS', {
      about:
        'Further OpenAI-compatible providers as NAME=URL, comma-separated: groq=https://api.groq.com/openai/v1,vllm=http://vllm:8000/v1',
      default: [],
    }),
    (entries) => readPairs(entries, readServerUrl),
  ),
  providerListKeys: refineSetting(
    setting.secretText('TUTTI_PROVIDER_KEYS', {
      about:
        'API keys for TUTTI_PROVIDERS as NAME=KEY, comma-separated; a provider without one uses the key stored with PUT /api/v1/providers/{name}/key',
      optional: true,
    }),
    (text) => readPairs(text === undefined ? [] : text.split(',').map((entry) => entry.trim()), readKey),
  ),
})

/** The messages of its errors complete "VARIABLE …" and contain no values, which may be keys. */
function readPairs(
  entries: readonly string[],
  read: (value: string) => string,
): ReadonlyMap<ProviderName, string> {
  const pairs = new Map<ProviderName, string>()
  for (const [index, entry] of entries.entries()) {
    const sign = entry.indexOf('=')
    const name = entry.slice(0, Math.max(0, sign))
    if (!new RegExp(providerNamePattern).test(name)) {
      throw new Error(
        `must be NAME=VALUE pairs with names of lower-case letters, digits, - and _ (entry ${index + 1})`,
      )
    }
    if (reservedProviderNames.has(name)) throw new Error(`must not contain the reserved name "${name}"`)
    if (pairs.has(name)) throw new Error(`must not contain "${name}" twice`)
    try {
      pairs.set(name, read(entry.slice(sign + 1)))
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'is invalid'
      throw new Error(`is wrong for "${name}": the value ${reason}`, { cause: error })
    }
  }
  if (pairs.size > maxListed) throw new Error(`must not contain more than ${maxListed} providers`)
  return pairs
}

/** The key is sent as a header, so it must be printable ASCII. */
function readKey(key: string): string {
  if (/^[\x21-\x7e]{1,512}$/.test(key)) return key
  throw new Error('must be printable ASCII characters without spaces')
}
