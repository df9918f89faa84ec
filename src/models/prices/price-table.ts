import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { ModelPrice as TableRow, Tier } from '@pydantic/genai-prices'
import { microDollarsOf } from './micro-dollars.ts'
import type { PriceTier, TokenPrices } from './price.ts'

/** What one model costs by the table. */
interface TablePrice {
  readonly prices: TokenPrices
  readonly tiers: readonly PriceTier[]
}

/** The prices that providers publish, as they were when this version was released. Nothing is fetched. */
export interface PriceTable {
  readonly version: string
  /** The list of prices that holds at an address, if the table has one. */
  listAt(url: string): string | undefined
  hasList(list: string): boolean
  /** Undefined when the table does not know, or when more than tokens is charged for. */
  priceOf(list: string, model: string, at: Date): TablePrice | undefined
  contextLengthOf(list: string, model: string): number | null
}

interface Found {
  readonly price: TablePrice | undefined
  readonly contextLength: number | null
  /** The minute it was looked up in, for a price that is not the same at every time. */
  readonly minute: number | undefined
}

/** What a call would be charged for besides its tokens, and we do not count. */
const chargedBesides = [
  'requests_kcount',
  'input_text_messages_kcount',
  'output_reasoning_mtok',
  'output_citation_mtok',
]

const mostRemembered = 5000

/** Opens the table. It is large, so it is read when somebody first wants to know a price. */
export async function openPriceTable(): Promise<PriceTable> {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices')
  const remembered = new Map<string, Found>()

  function lookUp(list: string, model: string, at: Date): Found {
    // Every bound in time that the table knows is a whole minute.
    const minute = Math.floor(at.getTime() / 60_000)
    const key = `${list} ${model}`
    const known = remembered.get(key)
    if (known !== undefined && (known.minute === undefined || known.minute === minute)) return known
    const row = calcPrice({}, model, { providerId: list, timestamp: at })
    const found: Found = {
      price: row === null ? undefined : readRow(row.model_price),
      contextLength: row?.model.context_window ?? null,
      minute: Array.isArray(row?.model.prices) ? minute : undefined,
    }
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(key, found)
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
  if (input === undefined || chargedBesides.some((key) => row[key] !== undefined)) return undefined
  const starts = [input, cached, write, output].flatMap((price) =>
    typeof price === 'object' ? price.tiers.map(({ start }) => start) : [],
  )
  const pricesAbove = (start: number): TokenPrices => ({
    input: rateAbove(input, start),
    cachedInput: rateAbove(cached ?? input, start),
    ...(write !== undefined && { cacheWrite: rateAbove(write, start) }),
    // Nothing that comes out of an embedding is charged for, and its row says no more than that.
    output: rateAbove(output ?? 0, start),
  })
  return {
    prices: pricesAbove(-1),
    tiers: [...new Set(starts)]
      .sort((left, right) => left - right)
      .map((above) => ({ above, prices: pricesAbove(above) })),
  }
}

/** What a million tokens cost in a call that has more input than `start`. */
function rateAbove(price: NonNullable<TableRow[string]>, start: number): number {
  const dollars =
    typeof price === 'number'
      ? price
      : (byStart(price.tiers).findLast((tier) => tier.start <= start)?.price ?? price.base)
  const rate = microDollarsOf(dollars)
  if (rate === undefined) throw new Error(`the price table has ${dollars}, which is no price`)
  return rate
}

function byStart(tiers: readonly Tier[]): Tier[] {
  return tiers.toSorted((left, right) => left.start - right.start)
}

/** The package says its version nowhere but in its own description. */
function readVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices')
  const description = readFileSync(new URL('../package.json', pathToFileURL(entry)), 'utf8')
  return (JSON.parse(description) as { version: string }).version
}
