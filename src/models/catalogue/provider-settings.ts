import {
  type KeyDescription,
  type KeyedProvider,
  keyVariables,
  type ProviderKeys,
} from '../provider-keys/provider-keys.ts'
import type { ProviderName } from '../providers/provider.ts'

/** How a provider is set up: never with a secret. */
export interface ProviderSettings {
  readonly name: ProviderName
  /** Where it is asked, without credentials; null for the one that needs no address. */
  readonly baseUrl: string | null
  /** Where its key comes from; null when it has none. */
  readonly keySource: KeyDescription['source']
  /** The last characters of the key, for a person to tell it by. */
  readonly keyHint: string | null
}

interface DescribeProviderOptions {
  readonly keys: Pick<ProviderKeys, 'describe'>
  readonly baseUrls: Readonly<Record<ProviderName, string | null>>
}

export function createDescribeProvider({ keys, baseUrls }: DescribeProviderOptions) {
  return async (name: ProviderName): Promise<ProviderSettings> => {
    const { source, hint } = await describeKey(keys, name)
    return { name, baseUrl: withoutCredentials(baseUrls[name]), keySource: source, keyHint: hint }
  }
}

const noKey: KeyDescription = { source: null, hint: null, problem: null, updatedAt: null, updatedBy: null }

export function takesKey(name: ProviderName): name is KeyedProvider {
  return name in keyVariables
}

export async function describeKey(
  keys: Pick<ProviderKeys, 'describe'>,
  name: ProviderName,
): Promise<KeyDescription> {
  return takesKey(name) ? await keys.describe(name) : noKey
}

/** An address may carry a name and a password, or a token in its query. */
export function withoutCredentials(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/$/, '')}`
}
