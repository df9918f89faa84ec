import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { ModelPrice as TableRow, Tier } from '@pydantic/genai-prices'
import type { Logger } from '#kernel/telemetry'
import { isLocalAddress } from '../providers/local-address.ts'
import type { ProviderName } from '../providers/provider.ts'
import type { ProviderRegistry, RegisteredProvider, RegisteredProviders } from '../providers/registry.ts'
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
  /** The providers with their addresses and the price lists selected for them. */
  readonly providers: ProviderRegistry
  readonly log: Logger
  readonly now?: () => number
}

interface Book extends PriceBook {
  readonly providers: RegisteredProviders
  /** The price list of each provider that has one. */
  readonly lists: ReadonlyMap<ProviderName, string>
  readonly overrides: OverridesByModel
  readonly table: PriceTable | undefined
  readonly minute: number
}

type BookBasis = Pick<Book, 'overrides' | 'providers' | 'table' | 'minute'>

function isSameBasis(one: BookBasis, other: BookBasis): boolean {
  return (
    one.overrides === other.overrides &&
    one.providers === other.providers &&
    one.table === other.table &&
    one.minute === other.minute
  )
}

const unpriced: ModelPrice = { source: 'unpriced' }

/** The operator pays for the machines that run these models, not for tokens. */
function isFree(registered: RegisteredProvider): boolean {
  const { kind, baseUrl, priceList } = registered
  if (kind === 'builtin' || kind === 'cluster') return true
  return priceList === undefined && baseUrl !== null && isLocalAddress(baseUrl)
}

const free: ModelPrice = {
  source: 'free',
  prices: { input: 0, cachedInput: 0, output: 0 },
  version: 'builtin',
}

export function createPrices({ overrides, providers, log, now = Date.now }: PricesOptions): Prices {
  let opening: Promise<PriceTable> | undefined
  let book: Book | undefined

  const openOnce = () =>
    (opening ??= openPriceTable().catch((error: unknown) => {
      opening = undefined
      throw error
    }))

  /** A model may cost something else at another address, so an address that the table does not know has no prices. */
  function chooseLists(table: PriceTable | undefined, known: RegisteredProviders): Book['lists'] {
    const chosen = new Map<ProviderName, string>()
    for (const [name, registered] of known) {
      const { baseUrl, priceList } = registered
      if (table === undefined || isFree(registered) || baseUrl === null) continue
      const list = priceList ?? table.listAt(baseUrl)
      if (list === undefined || list === 'none') continue
      if (table.hasList(list)) chosen.set(name, list)
      else
        log.error(
          { provider: name, list },
          'the price table has no such price list; models of this provider are unpriced',
        )
    }
    return chosen
  }

  function makeBook({ overrides: known, providers: registered, table, minute }: BookBasis): Book {
    const at = new Date(now())
    const isSame = book?.table === table && book?.providers === registered
    const lists = isSame && book !== undefined ? book.lists : chooseLists(table, registered)
    return {
      providers: registered,
      lists,
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
        const from = registered.get(provider)
        if (from !== undefined && isFree(from)) return free
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
    async read(names) {
      const [known, registered] = [await overrides.read(), await providers.read()]
      const needsTable = names.some((name) => {
        const from = registered.get(name)
        return from !== undefined && !isFree(from)
      })
      const table = needsTable ? await openOnce() : book?.table
      const minute = Math.floor(now() / 60_000)
      const basis = { overrides: known, providers: registered, table, minute }
      if (book === undefined || !isSameBasis(book, basis)) book = makeBook(basis)
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
