import type { Logger } from '#kernel/telemetry'
import type { CatalogueEntry, CatalogueSource } from '../gateway/catalogue-entry.ts'
import type { PriceBook, Prices } from '../prices/prices.ts'
import { type ModelProvider, type ProvidedModel, providerNames } from '../providers/provider.ts'
import { type CatalogueModel, describeModel } from './catalogue-model.ts'

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
  readonly maxWaitMs?: number
}

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { providers, prices, log, maxWaitMs = 2500 } = options
  const lists = [...providers]
    .sort((one, other) => providerNames.indexOf(one.name) - providerNames.indexOf(other.name))
    .map((provider) => ({
      ...followList({ provider, maxWaitMs, log }),
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

/**
 * The models of one provider, without waiting long for one that is slow.
 *
 * | the provider              | who asks gets                                                   |
 * |---------------------------|-----------------------------------------------------------------|
 * | answers in time           | its answer                                                      |
 * | takes longer than it may  | what it said last, after the wait; nothing if it never said any |
 * | is still at it            | the same, at once                                               |
 */
interface FollowedList {
  readonly provider: ModelProvider
  read(): Promise<readonly ProvidedModel[]>
}

interface FollowListOptions {
  readonly provider: ModelProvider
  readonly maxWaitMs: number
  readonly log: Logger
}

function followList({ provider, maxWaitMs, log }: FollowListOptions): FollowedList {
  let known: readonly ProvidedModel[] | undefined
  let asking: Promise<readonly ProvidedModel[]> | undefined
  /** The question under way has kept somebody waiting for as long as it may. */
  let slow = false

  async function ask(): Promise<readonly ProvidedModel[]> {
    try {
      known = await provider.list()
    } catch (error) {
      log.error({ err: error, provider: provider.name }, 'a provider could not list its models')
    } finally {
      asking = undefined
      slow = false
    }
    return known ?? []
  }

  return {
    provider,
    async read() {
      const answer = (asking ??= ask())
      if (slow && known !== undefined) return known
      const inTime = await within(maxWaitMs, answer)
      if (inTime !== undefined) return inTime
      slow = asking === answer
      return known ?? []
    },
  }
}

/** With a plain timer, because every call to a model comes by here. */
async function within<Value>(ms: number, value: Promise<Value>): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const alarm = setTimeout(resolve, ms, undefined)
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(alarm)
  }
}
