import type { Logger } from '#kernel/telemetry'
import type { CloudProvider } from '../providers/cloud-provider.ts'
import type { ProviderName } from '../providers/provider.ts'
import {
  mapByName,
  type ProviderRegistry,
  type RegisteredProvider,
  type RegisteredProviders,
} from '../providers/registry.ts'
import type { StoredProvider } from './stored-provider.ts'
import type { StoredProviders, StoredProvidersByName } from './stored-providers.ts'

export interface LiveRegistryOptions {
  /** The providers of the environment, the built-in one last. */
  readonly environment: readonly RegisteredProvider[]
  readonly stored: Pick<StoredProviders, 'read'>
  readonly create: (stored: StoredProvider) => CloudProvider
  readonly log: Logger
  /** How long a replaced provider accepts calls whose candidate was chosen before. */
  readonly retireMs?: number
}

/** The built-in provider ends the default chain. */
const isLast = ({ kind }: RegisteredProvider) => kind === 'builtin'

interface OpenProvider {
  readonly provider: CloudProvider
  readonly revision: string
}

/**
 * The providers of the environment and the stored ones, which may change at any time.
 *
 * | row of a stored provider   | its provider object                                                         |
 * |----------------------------|-----------------------------------------------------------------------------|
 * | new, or enabled again      | created                                                                     |
 * | same revision              | kept, with its connections and its model list                               |
 * | other revision             | replaced                                                                    |
 * | removed, or disabled       | not offered any more                                                        |
 *
 * A replaced or removed object still serves the calls that have chosen it: its connections are closed after `retireMs`, when its
 * running calls have ended.
 */
export function createLiveRegistry(options: LiveRegistryOptions): ProviderRegistry & AsyncDisposable {
  const { environment, stored, create, log, retireMs = 60_000 } = options
  let open: ReadonlyMap<ProviderName, OpenProvider> = new Map()
  let current: { readonly rows: StoredProvidersByName; readonly providers: RegisteredProviders } | undefined
  const retiring = new Map<CloudProvider, NodeJS.Timeout>()

  function update(rows: StoredProvidersByName): RegisteredProviders {
    const before = open
    const next = new Map<ProviderName, OpenProvider>()
    const registered: RegisteredProvider[] = []
    for (const row of rows.values()) {
      if (!row.enabled) continue
      if (environment.some(({ provider }) => provider.name === row.name)) {
        log.warn({ provider: row.name }, 'a stored provider is not used: the environment has one of its name')
        continue
      }
      const { name, revision, kind, baseUrl, defaultModel, priceList } = row
      const known = before.get(name)
      const opened = known?.revision === revision ? known : { provider: create(row), revision }
      next.set(name, opened)
      registered.push({ provider: opened.provider, kind, source: 'stored', baseUrl, defaultModel, priceList })
    }
    for (const [name, { provider }] of before) if (next.get(name)?.provider !== provider) retire(provider)
    open = next
    return mapByName([
      ...environment.filter((one) => !isLast(one)),
      ...registered,
      ...environment.filter(isLast),
    ])
  }

  function retire(provider: CloudProvider): void {
    const timer = setTimeout(() => void close(provider), retireMs)
    timer.unref()
    retiring.set(provider, timer)
  }

  async function close(provider: CloudProvider): Promise<void> {
    try {
      await provider.close()
    } catch (error) {
      log.warn({ err: error, provider: provider.name }, 'closing the connections of a provider failed')
    } finally {
      retiring.delete(provider)
    }
  }

  return {
    async read() {
      const rows = await stored.read()
      if (current?.rows !== rows) current = { rows, providers: update(rows) }
      return current.providers
    },
    async [Symbol.asyncDispose]() {
      const closing = [...retiring].map(([provider, timer]) => {
        clearTimeout(timer)
        return provider
      })
      const all = [...closing, ...[...open.values()].map(({ provider }) => provider)]
      await Promise.all(all.map((provider) => provider[Symbol.asyncDispose]()))
    },
  }
}
