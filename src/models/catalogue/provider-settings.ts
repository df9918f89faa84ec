import type { KeyDescription, ProviderKeys } from '../provider-keys/provider-keys.ts'
import type { ProviderName } from '../providers/provider.ts'
import { type RegisteredProvider, takesKey } from '../providers/registry.ts'

/** The settings of a provider, without secrets. */
export interface ProviderSettings {
  readonly name: ProviderName
  /** Its address without credentials; null for the built-in provider. */
  readonly baseUrl: string | null
  /** The source of its API key; null when it has none. */
  readonly keySource: KeyDescription['source']
  /** The last characters of the key, by which people recognise it. */
  readonly keyHint: string | null
}

export function createDescribeProvider(keys: Pick<ProviderKeys, 'describe'>) {
  return async (registered: RegisteredProvider): Promise<ProviderSettings> => {
    const { source, hint } = await describeKey(keys, registered)
    const { name } = registered.provider
    return { name, baseUrl: withoutCredentials(registered.baseUrl), keySource: source, keyHint: hint }
  }
}

const noKey: KeyDescription = { source: null, hint: null, problem: null, updatedAt: null, updatedBy: null }

export async function describeKey(
  keys: Pick<ProviderKeys, 'describe'>,
  registered: Pick<RegisteredProvider, 'kind'> & { readonly provider: { readonly name: ProviderName } },
): Promise<KeyDescription> {
  return takesKey(registered) ? await keys.describe(registered.provider.name) : noKey
}

/** Removes a user name, a password and the query, which may contain a token. */
export function withoutCredentials(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/$/, '')}`
}
