import type { Tone } from '../../parts/Status.tsx'
import type { Provider } from './provider-bodies.ts'

const titles: Readonly<Record<string, string>> = {
  ollama: 'Cluster',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  builtin: 'Built in',
}

/** What people call a provider. */
export function describeProvider(name: string): string {
  return titles[name] ?? name
}

/** What each of them is. */
export const aboutProviders: Readonly<Record<Provider['name'], string>> = {
  ollama: 'The nodes of your own cluster. They want to see no key.',
  openai: 'OpenAI, or any server that speaks its interface: OPENAI_BASE_URL says which.',
  anthropic: 'Anthropic, or any server that speaks its interface: ANTHROPIC_BASE_URL says which.',
  builtin:
    'Text analysis that is part of the platform. It needs nothing, costs nothing and is no language model.',
}

/** The variable that a key can come from, of those who want to see one. */
export const keyVariables: Readonly<Partial<Record<Provider['name'], string>>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
}

export const providerStates: Readonly<Record<Provider['state'], { tone: Tone; word: string }>> = {
  online: { tone: 'good', word: 'Online' },
  degraded: { tone: 'warn', word: 'Degraded' },
  offline: { tone: 'bad', word: 'Offline' },
  unconfigured: { tone: 'idle', word: 'Not set up' },
}

/** Where the key of a provider comes from, in words. */
export function describeKey({ name, key: { source, hint } }: Pick<Provider, 'name' | 'key'>): string {
  const variable = keyVariables[name]
  if (variable === undefined) return 'Needs none'
  if (source === null) return 'None'
  const end = hint === null ? '' : `, ends with ${hint}`
  return source === 'environment' ? `${variable}${end}` : `Stored here${end}`
}
