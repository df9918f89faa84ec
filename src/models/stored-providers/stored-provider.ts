import type { ProviderName } from '../providers/provider.ts'

/** The kinds of providers that can be added. */
export const storedKinds = ['openai', 'anthropic', 'gemini'] as const

export type StoredKind = (typeof storedKinds)[number]

/** The settings of a provider that an operator added, without its API key. */
export interface ProviderConfig {
  readonly kind: StoredKind
  readonly baseUrl: string
  /** Further request headers, in lower case; undefined: none, or not readable. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The models to use; undefined: all that the server lists. */
  readonly models: readonly string[] | undefined
  readonly defaultModel: string | undefined
  readonly priceList: string | undefined
  readonly enabled: boolean
}

export interface StoredProvider extends ProviderConfig {
  readonly name: ProviderName
  readonly headerNames: readonly string[]
  /** Why the provider cannot be used as configured; null when it can. */
  readonly problem: string | null
  /** Changes with every change of the settings. */
  readonly revision: string
  readonly createdAt: Date
  readonly createdBy: string | null
  readonly updatedAt: Date
  readonly updatedBy: string | null
}
