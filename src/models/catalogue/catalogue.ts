import type { Logger } from '#kernel/telemetry'
import type { CatalogueEntry, CatalogueSource } from '../gateway/catalogue-entry.ts'
import type { PriceBook, Prices } from '../prices/prices.ts'
import { type ModelProvider, type ProvidedModel, providerNames } from '../providers/provider.ts'
import { type CatalogueModel, describeModel } from './catalogue-model.ts'
import { followList } from './followed-list.ts'

/** Every model there is, whoever provides it. */
export interface Catalogue extends CatalogueSource {
  /** By provider in the order of `providerNames`, then by id. */
  find(): Promise<readonly CatalogueEntry[]>
  /** As callers see it: by id, each once for each of its providers. */
  list(): Promise<CatalogueModel[]>
}

export interface CatalogueOptions {
  readonly providers: readonly ModelProvider[]
  readonly prices: Prices
  readonly log: Logger
  /** How long a provider may take to say what it has before its last answer is used. */
  readonly mostWaitMs?: number
}

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { providers, prices, log, mostWaitMs = 2500 } = options
  const lists = [...providers]
    .sort((one, other) => providerNames.indexOf(one.name) - providerNames.indexOf(other.name))
    .map((provider) => ({
      ...followList({ provider, mostWaitMs, log }),
      priced: createPricedList(provider),
    }))

  async function find(): Promise<readonly CatalogueEntry[]> {
    const listed = await Promise.all(lists.map(async (list) => ({ ...list, models: await list.read() })))
    const providing = listed.filter(({ models }) => models.length > 0)
    const book = await prices.read(providing.map(({ provider }) => provider.name))
    return providing.flatMap(({ priced, models }) => priced(models, book))
  }

  return {
    find,
    async list() {
      // The sort is stable, so of equal ids the one of the first provider comes first.
      const entries = (await find()).toSorted((one, other) => byId(one.model, other.model))
      return entries.map(describeModel)
    },
  }
}

type PricedList = (models: readonly ProvidedModel[], book: PriceBook) => readonly CatalogueEntry[]

/** Puts prices to models. Every call asks for this, while neither changes often. */
function createPricedList({ name }: ModelProvider): PricedList {
  let made:
    | { models: readonly ProvidedModel[]; book: PriceBook; entries: readonly CatalogueEntry[] }
    | undefined
  return (models, book) => {
    if (made?.models !== models || made.book !== book) {
      const entries = models.toSorted(byId).map((model) => ({
        provider: name,
        model: { ...model, contextLength: model.contextLength ?? book.contextLengthOf(name, model.id) },
        price: book.priceOf(name, model.id),
      }))
      made = { models, book, entries }
    }
    return made.entries
  }
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
