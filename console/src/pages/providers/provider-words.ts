import type { Tone } from '../../parts/Status.tsx'
import type { Provider } from './provider-queries.ts'

const titles: Readonly<Record<string, string>> = {
  ollama: 'Cluster',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  builtin: 'Built in',
}

/** The display name of a provider. */
export function describeProvider(name: string): string {
  return titles[name] ?? name
}

/** The description of each provider. */
export const aboutProviders: Readonly<Record<Provider['name'], string>> = {
  ollama: 'The nodes of your own cluster. No key required.',
  openai: 'OpenAI, or a compatible server set in OPENAI_BASE_URL.',
  anthropic: 'Anthropic, or a compatible server set in ANTHROPIC_BASE_URL.',
  builtin: 'Built-in text analysis: free, no key required, not a language model.',
}

/** The environment variable of the API key, for providers that require one. */
export const keyVariables: Readonly<Partial<Record<Provider['name'], string>>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
}

export const providerStates: Readonly<Record<Provider['state'], { tone: Tone; word: string }>> = {
  online: { tone: 'good', word: 'Online' },
  degraded: { tone: 'warn', word: 'Degraded' },
  offline: { tone: 'bad', word: 'Offline' },
  unconfigured: { tone: 'idle', word: 'Not configured' },
}

/** Describes the source of a provider's key. */
export function describeKey({ name, key: { source, hint } }: Pick<Provider, 'name' | 'key'>): string {
  const variable = keyVariables[name]
  if (variable === undefined) return 'Not required'
  if (source === null) return 'None'
  const end = hint === null ? '' : `, ends with ${hint}`
  return source === 'environment' ? `${variable}${end}` : `Stored${end}`
}
