import type { Tone } from '../../parts/Status.tsx'
import type { AddedProvider, Provider } from './provider-queries.ts'

const titles: Readonly<Record<string, string>> = {
  ollama: 'Cluster',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  builtin: 'Built in',
}

/** The display name of a provider. */
export function describeProvider(name: string): string {
  return titles[name] ?? name
}

/** The protocols of providers that can be added. */
export const kindWords = {
  openai: 'OpenAI-compatible',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
} as const

/** The description of a provider. */
export function aboutProvider({ name, source, kind }: Pick<Provider, 'name' | 'source' | 'kind'>): string {
  const about = aboutProviders[name]
  if (about !== undefined) return about
  const protocol = kind === 'anthropic' || kind === 'gemini' ? kindWords[kind] : kindWords.openai
  return source === 'stored' ? `${protocol}, added here.` : `${protocol}, set in TUTTI_PROVIDERS.`
}

const aboutProviders: Readonly<Record<string, string>> = {
  ollama: 'The nodes of your own cluster. No key required.',
  openai: 'OpenAI, or a compatible server set in OPENAI_BASE_URL.',
  anthropic: 'Anthropic, or a compatible server set in ANTHROPIC_BASE_URL.',
  gemini: 'Gemini, or a compatible server set in GEMINI_BASE_URL.',
  builtin: 'Built-in text analysis: free, no key required, not a language model.',
}

const keyVariables: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  gemini: 'GEMINI_API_KEY',
}

/** The environment variable of a provider's API key. */
export function keyVariableOf(name: string): string {
  return keyVariables[name] ?? 'TUTTI_PROVIDER_KEYS'
}

/** Whether a provider may have an API key. */
export function takesKey({ kind }: Pick<Provider, 'kind'>): boolean {
  return kind !== 'cluster' && kind !== 'builtin'
}

export const providerStates: Readonly<Record<Provider['state'], { tone: Tone; word: string }>> = {
  online: { tone: 'good', word: 'Online' },
  degraded: { tone: 'warn', word: 'Degraded' },
  offline: { tone: 'bad', word: 'Offline' },
  unconfigured: { tone: 'idle', word: 'Not configured' },
}

/** Describes the source of a provider's key. */
export function describeKey(provider: Pick<Provider, 'name' | 'kind' | 'key'>): string {
  const { source, hint } = provider.key
  if (!takesKey(provider)) return 'Not required'
  if (source === null) return 'None'
  const end = hint === null ? '' : `, ends with ${hint}`
  return source === 'environment' ? `${keyVariableOf(provider.name)}${end}` : `Stored${end}`
}

/** The state of a new provider, and which model steps get that name none. */
export function describeAdded({
  state,
  problem,
  default_model: defaultModel,
  default_chosen: isChosen,
  auto_model: auto,
}: Pick<AddedProvider, 'state' | 'problem' | 'default_model' | 'default_chosen' | 'auto_model'>): string {
  const first = `${providerStates[state].word}${problem === null ? '.' : `: ${problem}`}`
  if (isChosen) return `${first} Its default model is ${defaultModel}: steps that name no model use it.`
  if (auto !== null && !auto.startsWith('builtin/')) return `${first} Steps that name no model use ${auto}.`
  return defaultModel === null
    ? `${first} Steps that name no model do not use it: set its default model.`
    : first
}
