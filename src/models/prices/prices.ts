import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { ModelPrice as TableRow, Tier } from '@pydantic/genai-prices'
import type { Logger } from '#kernel/telemetry'
import type { ProviderName } from '../providers/provider.ts'
import { microDollarsOf } from './micro-dollars.ts'
import type { ModelPrice, PriceTier, TokenPrices } from './price.ts'
import { type OverridesByModel, overrideKey, type PriceOverrides } from './price-overrides.ts'

/** A snapshot of all prices. */
export interface PriceBook {
  priceOf(provider: ProviderName, model: string): ModelPrice
  /** The context length from the price table; null when unknown. */
  contextLengthOf(provider: ProviderName, model: string): number | null
}

/** The prices of models: the override of an operator, else the price table. */
export interface Prices {
  /** The current prices for models of these providers. The same object until a price changes, for at most a minute. */
  read(providers: readonly ProviderName[]): Promise<PriceBook>
  /** The version of the price table. */
  tableVersion(): Promise<string>
}

export interface PricesOptions {
  readonly overrides: Pick<PriceOverrides, 'read'>
  /** The addresses of the cloud providers and the price lists configured for them. */
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

/** The operator pays for the machines that run these models, not for tokens. */
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

  /** A model may cost something else at another address, so an address that the table does not know has no prices. */
  function chooseLists(table: PriceTable): ReadonlyMap<ProviderName, string> {
    const chosen = new Map<ProviderName, string>()
    for (const [provider, { baseUrl, priceList }] of Object.entries(cloud)) {
      const list = priceList ?? table.listAt(baseUrl)
      if (list === undefined || list === 'none') continue
      if (table.hasList(list)) chosen.set(provider as ProviderName, list)
      else
        log.error(
          { provider, list },
          'the price table has no such price list; models of this provider are unpriced',
        )
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

/** The price of one model in the table. */
interface TablePrice {
  readonly prices: TokenPrices
  readonly tiers: readonly PriceTier[]
}

/** The published prices of providers as of this version. No price is fetched at run time. */
interface PriceTable {
  readonly version: string
  /** The price list for an address; undefined when the table has none. */
  listAt(url: string): string | undefined
  hasList(list: string): boolean
  /** Undefined when the table has no price, or when the provider charges for more than tokens. */
  priceOf(list: string, model: string, at: Date): TablePrice | undefined
  contextLengthOf(list: string, model: string): number | null
}

interface Found {
  readonly price: TablePrice | undefined
  readonly contextLength: number | null
  /** The minute of the lookup, for a price that depends on the time. */
  readonly minute: number | undefined
}

/** Charges besides input and output tokens, which the gateway does not count. */
const otherCharges = [
  'requests_kcount',
  'input_text_messages_kcount',
  'output_reasoning_mtok',
  'output_citation_mtok',
]

const maxCached = 5000

/** Opens the price table. It is large, so it is loaded when the first price is needed. */
export async function openPriceTable(): Promise<PriceTable> {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices')
  const cached = new Map<string, Found>()

  function lookUp(list: string, model: string, at: Date): Found {
    // All times in the table are whole minutes.
    const minute = Math.floor(at.getTime() / 60_000)
    const key = `${list} ${model}`
    const known = cached.get(key)
    if (known !== undefined && (known.minute === undefined || known.minute === minute)) return known
    const row = calcPrice({}, model, { providerId: list, timestamp: at })
    const found: Found = {
      price: row === null ? undefined : readRow(row.model_price),
      contextLength: row?.model.context_window ?? null,
      minute: Array.isArray(row?.model.prices) ? minute : undefined,
    }
    if (cached.size >= maxCached) cached.clear()
    cached.set(key, found)
    return found
  }

  return {
    version: readVersion(),
    listAt: (url) => findProvider({ providerApiUrl: url })?.id,
    hasList: (list) => findProvider({ providerId: list })?.id === list,
    priceOf: (list, model, at) => lookUp(list, model, at).price,
    contextLengthOf: (list, model) => lookUp(list, model, new Date()).contextLength,
  }
}

function readRow(row: TableRow): TablePrice | undefined {
  const { input_mtok: input, cache_read_mtok: cached, cache_write_mtok: write, output_mtok: output } = row
  if (input === undefined || otherCharges.some((key) => row[key] !== undefined)) return undefined
  const starts = [input, cached, write, output].flatMap((price) =>
    typeof price === 'object' ? price.tiers.map(({ start }) => start) : [],
  )
  const pricesAbove = (start: number): TokenPrices => ({
    input: rateAbove(input, start),
    cachedInput: rateAbove(cached ?? input, start),
    ...(write !== undefined && { cacheWrite: rateAbove(write, start) }),
    // Rows of embedding models have no output price, because embeddings have no output tokens.
    output: rateAbove(output ?? 0, start),
  })
  return {
    prices: pricesAbove(-1),
    tiers: [...new Set(starts)]
      .sort((left, right) => left - right)
      .map((above) => ({ above, prices: pricesAbove(above) })),
  }
}

/** The price of a million tokens in a call with more input tokens than `start`. */
function rateAbove(price: NonNullable<TableRow[string]>, start: number): number {
  const dollars =
    typeof price === 'number'
      ? price
      : (byStart(price.tiers).findLast((tier) => tier.start <= start)?.price ?? price.base)
  const rate = microDollarsOf(dollars)
  if (rate === undefined) throw new Error(`the price table contains ${dollars}, which is not a price`)
  return rate
}

function byStart(tiers: readonly Tier[]): Tier[] {
  return tiers.toSorted((left, right) => left.start - right.start)
}

/** The package exports no version, so it is read from its package.json. */
function readVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices')
  const description = readFileSync(new URL('../package.json', pathToFileURL(entry)), 'utf8')
  return (JSON.parse(description) as { version: string }).version
}
