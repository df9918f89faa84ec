import type { Provider } from 'oidc-provider'
import type { SigningKey } from '../tokens/signing-key.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import { callProvider, type ProviderCall, type ProviderResult } from './call-provider.ts'
import { buildProvider, type ProviderOptions } from './provider.ts'

/** The provider of one issuer URL and the current signing key. */
interface BuiltProvider {
  readonly provider: Provider
  readonly call: (request: ProviderCall) => Promise<ProviderResult>
}

export interface Providers {
  /** Returns the provider of an issuer; a new one is built when the issuer or the signing key is new. */
  of(issuer: string): Promise<BuiltProvider>
}

/** Bounded, because the issuer follows the Host header, which a client can invent. Evicting one costs a rebuild. */
const capacity = 8

export function createProviders({
  keys,
  ...options
}: ProviderOptions & { readonly keys: SigningKeys }): Providers {
  const built = new Map<string, Promise<BuiltProvider>>()

  async function build(issuer: string, key: SigningKey): Promise<BuiltProvider> {
    const provider = await buildProvider(issuer, key, options)
    const handle = provider.callback()
    return { provider, call: (request) => callProvider(handle, issuer, request) }
  }

  return {
    async of(issuer) {
      const key = await keys.current()
      const name = `${key.kid} ${issuer}`
      const provider = built.get(name) ?? build(issuer, key)
      // Reinserted at the end: the map evicts the least recently used provider.
      built.delete(name)
      built.set(name, provider)
      const [oldest] = built.keys()
      if (built.size > capacity && oldest !== undefined) built.delete(oldest)
      try {
        return await provider
      } catch (error) {
        built.delete(name)
        throw error
      }
    },
  }
}
