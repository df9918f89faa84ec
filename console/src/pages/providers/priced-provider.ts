import type { PricedProvider } from './provider-bodies.ts'

/** Those whose prices can be set: what is built in costs nothing. */
export const pricedProviders = ['ollama', 'openai', 'anthropic'] as const satisfies PricedProvider[]

export function providerOf(name: string): PricedProvider {
  return pricedProviders.find((known) => known === name) ?? 'ollama'
}
