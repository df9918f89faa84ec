import type { Provider } from 'oidc-provider'
import type { SigningKey, SigningKeys } from '../tokens/signing-keys.ts'
import { askProvider, type ProviderAnswer, type ProviderQuestion } from './exchange.ts'
import { buildProvider, type ProviderOptions } from './provider.ts'

/** The provider of one address the platform is reached by, with the key that signs now. */
interface BuiltProvider {
  readonly provider: Provider
  readonly ask: (question: ProviderQuestion) => Promise<ProviderAnswer>
}

export interface Providers {
  /** A provider has its issuer and its key for life; when either is another, so is the provider. */
  of(issuer: string): Promise<BuiltProvider>
}

/** Addresses somebody makes up push out others that are made up, and cost no more than building one again. */
const capacity = 8

export function createProviders({
  keys,
  ...options
}: ProviderOptions & { readonly keys: SigningKeys }): Providers {
  const built = new Map<string, Promise<BuiltProvider>>()

  async function build(issuer: string, key: SigningKey): Promise<BuiltProvider> {
    const provider = await buildProvider(issuer, key, options)
    const handle = provider.callback()
    return { provider, ask: (question) => askProvider(handle, issuer, question) }
  }

  return {
    async of(issuer) {
      const key = await keys.current()
      const name = `${key.kid} ${issuer}`
      const known = built.get(name) ?? build(issuer, key)
      // Used last, so let go last.
      built.delete(name)
      built.set(name, known)
      const [oldest] = built.keys()
      if (built.size > capacity && oldest !== undefined) built.delete(oldest)
      try {
        return await known
      } catch (error) {
        built.delete(name)
        throw error
      }
    },
  }
}
