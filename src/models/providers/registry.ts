import type { ModelProvider, ProviderName } from './provider.ts'

/** The form of a provider's name. It is part of model names (`provider/id`) and of URLs. */
export const providerNamePattern = '^[a-z0-9][a-z0-9_-]{0,31}$'

/** Names of the usual providers, and `auto`, which is a model name. Other providers cannot have them. */
export const reservedProviderNames: ReadonlySet<ProviderName> = new Set([
  'auto',
  'ollama',
  'openai',
  'anthropic',
  'gemini',
  'builtin',
])

export type ProviderKind = 'cluster' | 'openai' | 'anthropic' | 'gemini' | 'builtin'

/** A provider with the settings that the gateway, the catalogue and the API need. */
export interface RegisteredProvider {
  readonly provider: ModelProvider
  readonly kind: ProviderKind
  /** `stored` providers were added over the API, and can be changed there. */
  readonly source: 'environment' | 'stored'
  /** Null for the built-in provider. */
  readonly baseUrl: string | null
  /** The model that `auto` and fallbacks may use. */
  readonly defaultModel: string | undefined
  /** The price list that the operator selected; undefined: chosen by the address. */
  readonly priceList: string | undefined
}

/** The providers by name, in the order of the default chain: the cluster, the cloud, the built-in model. */
export type RegisteredProviders = ReadonlyMap<ProviderName, RegisteredProvider>

/** The providers of this process. Operators may add, change and remove some of them at any time. */
export interface ProviderRegistry {
  /** The same object until a provider changes. */
  read(): Promise<RegisteredProviders>
}

/** A registry of providers that never change. */
export function createFixedRegistry(providers: readonly RegisteredProvider[]): ProviderRegistry {
  const byName = mapByName(providers)
  return { read: async () => byName }
}

export function mapByName(providers: readonly RegisteredProvider[]): RegisteredProviders {
  return new Map(providers.map((registered) => [registered.provider.name, registered]))
}

/** Whether the provider may have an API key. */
export function takesKey({ kind }: Pick<RegisteredProvider, 'kind'>): boolean {
  return kind !== 'cluster' && kind !== 'builtin'
}

/** The default models of the providers that have one, in the order of the default chain. */
export function defaultModelsOf(providers: RegisteredProviders): ReadonlyMap<ProviderName, string> {
  const chosen = new Map<ProviderName, string>()
  for (const [name, { defaultModel }] of providers) {
    if (defaultModel !== undefined) chosen.set(name, defaultModel)
  }
  return chosen
}
