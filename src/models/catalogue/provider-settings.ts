import {
  type KeyDescription,
  type KeyedProvider,
  keyVariables,
  type ProviderKeys,
} from '../provider-keys/provider-keys.ts'
import type { ProviderName } from '../providers/provider.ts'

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

/** Removes a user name, a password and the query, which may contain a token. */
export function withoutCredentials(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/$/, '')}`
}
