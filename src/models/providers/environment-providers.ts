import { createBuiltinProvider } from '../builtin/builtin-provider.ts'
import type { EnvironmentKey } from '../provider-keys/provider-keys.ts'
import type { ModelsSettings } from '../settings.ts'
import { createAnthropicProvider } from './anthropic/anthropic-provider.ts'
import { createGeminiProvider } from './gemini/gemini-provider.ts'
import { createOllamaProvider, type OllamaProviderOptions } from './ollama/ollama-provider.ts'
import { createOpenAiProvider } from './openai/openai-provider.ts'
import type { ModelProvider, ProviderName } from './provider.ts'
import type { ProviderKind, RegisteredProvider } from './registry.ts'

interface EnvironmentProvidersOptions
  extends Pick<OllamaProviderOptions, 'view' | 'cluster' | 'gatewayId' | 'freshMs' | 'sessionHeader'> {
  readonly settings: ModelsSettings
  readonly checker: Parameters<typeof createBuiltinProvider>[0]['checker']
  readonly readKey: (name: ProviderName) => Promise<string | undefined>
  /** Takes the place of the providers. They are not closed. */
  readonly replaced: readonly ModelProvider[] | undefined
}

/** The providers of the environment, in the order of the default chain. */
interface EnvironmentProviders extends AsyncDisposable {
  readonly list: readonly RegisteredProvider[]
}

/** API keys from the environment, which take precedence over stored keys. */
export function environmentKeys(settings: ModelsSettings): ReadonlyMap<ProviderName, EnvironmentKey> {
  const given = [
    ['openai', 'OPENAI_API_KEY', settings.openaiApiKey],
    ['anthropic', 'ANTHROPIC_API_KEY', settings.anthropicApiKey],
    ['gemini', 'GEMINI_API_KEY', settings.geminiApiKey],
  ] as const
  const keys = new Map<ProviderName, EnvironmentKey>()
  for (const [name, variable, key] of given) if (key !== undefined) keys.set(name, { variable, key })
  for (const [name, key] of settings.providerListKeys) {
    keys.set(name, { variable: 'TUTTI_PROVIDER_KEYS', key })
  }
  return keys
}

export function createEnvironmentProviders(options: EnvironmentProvidersOptions): EnvironmentProviders {
  const { settings, replaced, readKey, checker, cluster } = options
  const closing = new AsyncDisposableStack()
  const settingsOf = settingsByName(settings, cluster.url)

  function create(): readonly ModelProvider[] {
    const limits = settings
    const openai = { baseUrl: settings.openaiBaseUrl, models: settings.openaiModels }
    const anthropic = { baseUrl: settings.anthropicBaseUrl, models: settings.anthropicModels }
    const gemini = { baseUrl: settings.geminiBaseUrl, models: settings.geminiModels }
    return [
      closing.use(createOllamaProvider({ ...options, limits })),
      closing.use(createOpenAiProvider({ settings: openai, limits, readKey: () => readKey('openai') })),
      closing.use(
        createAnthropicProvider({ settings: anthropic, limits, readKey: () => readKey('anthropic') }),
      ),
      closing.use(createGeminiProvider({ settings: gemini, limits, readKey: () => readKey('gemini') })),
      ...[...settings.providerList].map(([name, baseUrl]) =>
        closing.use(
          createOpenAiProvider({
            name,
            settings: { baseUrl, models: undefined },
            limits,
            readKey: () => readKey(name),
          }),
        ),
      ),
      createBuiltinProvider({ checker }),
    ]
  }

  return {
    list: (replaced?.toSorted(byRank) ?? create()).map((provider) => ({
      provider,
      source: 'environment',
      ...(settingsOf[provider.name] ?? unknownSettings),
    })),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** The default chain starts with the cluster and ends with the built-in provider. */
const ranks: Readonly<Record<ProviderName, number>> = {
  ollama: 0,
  openai: 1,
  anthropic: 2,
  gemini: 3,
  builtin: 9,
}

function byRank(one: ModelProvider, other: ModelProvider): number {
  return (ranks[one.name] ?? 5) - (ranks[other.name] ?? 5)
}

type ProviderSettings = Omit<RegisteredProvider, 'provider' | 'source'>

const unknownSettings: ProviderSettings = {
  kind: 'openai',
  baseUrl: null,
  defaultModel: undefined,
  priceList: undefined,
}

function own(kind: ProviderKind, baseUrl: string | null): ProviderSettings {
  return { ...unknownSettings, kind, baseUrl }
}

function settingsByName(
  settings: ModelsSettings,
  clusterUrl: string,
): Readonly<Record<ProviderName, ProviderSettings>> {
  const listed = [...settings.providerList].map(([name, baseUrl]) => [name, own('openai', baseUrl)])
  return {
    ...Object.fromEntries(listed),
    ollama: own('cluster', clusterUrl),
    openai: {
      kind: 'openai',
      baseUrl: settings.openaiBaseUrl,
      defaultModel: settings.openaiDefaultModel,
      priceList: settings.openaiPriceList,
    },
    anthropic: {
      kind: 'anthropic',
      baseUrl: settings.anthropicBaseUrl,
      defaultModel: settings.anthropicDefaultModel,
      priceList: settings.anthropicPriceList,
    },
    gemini: {
      kind: 'gemini',
      baseUrl: settings.geminiBaseUrl,
      defaultModel: settings.geminiDefaultModel,
      priceList: settings.geminiPriceList,
    },
    builtin: own('builtin', null),
  }
}
