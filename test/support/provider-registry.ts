import type { ModelProvider } from '../../src/models/providers/provider.ts'
import {
  createFixedRegistry,
  type ProviderKind,
  type ProviderRegistry,
  type RegisteredProvider,
} from '../../src/models/providers/registry.ts'

const kinds: Readonly<Record<string, ProviderKind>> = {
  ollama: 'cluster',
  anthropic: 'anthropic',
  gemini: 'gemini',
  builtin: 'builtin',
}

/** A registry of these providers, with settings by name of the provider. */
export function registryOf(
  providers: readonly ModelProvider[],
  settings: Readonly<Record<string, Partial<RegisteredProvider>>> = {},
): ProviderRegistry {
  return createFixedRegistry(
    providers.map((provider) => ({
      provider,
      kind: kinds[provider.name] ?? 'openai',
      source: 'environment',
      baseUrl: null,
      defaultModel: undefined,
      priceList: undefined,
      ...settings[provider.name],
    })),
  )
}
