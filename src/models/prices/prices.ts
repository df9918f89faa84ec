import type { Logger } from '#kernel/telemetry'
import type { ProviderName } from '../providers/provider.ts'
import type { ModelPrice } from './price.ts'
import { type OverridesByModel, overrideKey, type PriceOverrides } from './price-overrides.ts'
import { openPriceTable, type PriceTable } from './price-table.ts'

/** Every price as it is at one moment. */
export interface PriceBook {
  priceOf(provider: ProviderName, model: string): ModelPrice
  /** How long a conversation may be, where the table says; null where it does not. */
  contextLengthOf(provider: ProviderName, model: string): number | null
}

/** What models cost: as an operator set it, else as the table has it. */
export interface Prices {
  /** The prices of now, for models of these providers. The same object for as long as nothing changes, a minute at most. */
  read(providers: readonly ProviderName[]): Promise<PriceBook>
  /** The version of the price table. */
  tableVersion(): Promise<string>
}

export interface PricesOptions {
  readonly overrides: Pick<PriceOverrides, 'read'>
  /** Where the providers of the cloud are, and whose prices were said to hold there. */
  readonly cloud: Readonly<Record<'openai' | 'anthropic', PricedAddress>>
  readonly log: Logger
  readonly now?: () => number
}

interface PricedAddress {
  readonly baseUrl: string
  readonly priceList: string | undefined
}

interface Book extends PriceBook {
  readonly overrides: OverridesByModel
  readonly table: PriceTable | undefined
  readonly minute: number
}

const unpriced: ModelPrice = { source: 'unpriced' }

/** Models of the platform itself and of the nodes of the cluster: whoever runs them pays for machines, not for tokens. */
function isLocal(provider: ProviderName): boolean {
  return provider === 'builtin' || provider === 'ollama'
}

const free: ModelPrice = {
  source: 'free',
  prices: { input: 0, cachedInput: 0, output: 0 },
  version: 'builtin',
}

export function createPrices({ overrides, cloud, log, now = Date.now }: PricesOptions): Prices {
  let opening: Promise<PriceTable> | undefined
  let lists: ReadonlyMap<ProviderName, string> = new Map()
  let book: Book | undefined

  async function open(): Promise<PriceTable> {
    const table = await openPriceTable()
    lists = chooseLists(table)
    return table
  }

  const openOnce = () =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    }))

  /** The same name may cost something else elsewhere, so an address the table does not know has no prices. */
  function chooseLists(table: PriceTable): ReadonlyMap<ProviderName, string> {
    const chosen = new Map<ProviderName, string>()
    for (const [provider, { baseUrl, priceList }] of Object.entries(cloud)) {
      const list = priceList ?? table.listAt(baseUrl)
      if (list === undefined || list === 'none') continue
      if (table.hasList(list)) chosen.set(provider as ProviderName, list)
      else log.error({ provider, list }, 'the price table has no such list, so nothing of it is priced')
    }
    return chosen
  }

  function makeBook(known: OverridesByModel, table: PriceTable | undefined, minute: number): Book {
    const at = new Date(now())
    return {
      overrides: known,
      table,
      minute,
      priceOf(provider, model) {
        const override = known.get(overrideKey(provider, model))
        if (override !== undefined) {
          const { input, cachedInput, output, updatedAt } = override
          return {
            source: 'override',
            prices: { input, cachedInput, output },
            version: updatedAt.toISOString(),
          }
        }
        if (isLocal(provider)) return free
        const list = lists.get(provider)
        const found = list === undefined ? undefined : table?.priceOf(list, model, at)
        return table === undefined || found === undefined
          ? unpriced
          : { source: 'table', ...found, version: table.version }
      },
      contextLengthOf(provider, model) {
        const list = lists.get(provider)
        return list === undefined ? null : (table?.contextLengthOf(list, model) ?? null)
      },
    }
  }

  return {
    async read(providers) {
      const known = await overrides.read()
      const table = providers.some((provider) => provider in cloud) ? await openOnce() : book?.table
      const minute = Math.floor(now() / 60_000)
      if (book?.overrides !== known || book.table !== table || book.minute !== minute) {
        book = makeBook(known, table, minute)
      }
      return book
    },
    tableVersion: async () => (await openOnce()).version,
  }
}
