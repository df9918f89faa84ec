import type { Logger } from '#kernel/telemetry'
import { startRunningTimer } from '#kernel/timers'
import type { CatalogueEntry, CatalogueSource } from '../gateway/catalogue-entry.ts'
import type { PriceBook, Prices } from '../prices/prices.ts'
import type { ModelProvider, ProvidedModel } from '../providers/provider.ts'
import type { ProviderRegistry } from '../providers/registry.ts'
import { type CatalogueModel, describeModel } from './catalogue-model.ts'

/** The models of all providers. */
export interface Catalogue extends CatalogueSource {
  /** By provider in the order of the default chain, then by id. */
  find(): Promise<readonly CatalogueEntry[]>
  /** Like `find`, but never the kept entries: those may be from before a probe. */
  findNow(): Promise<readonly CatalogueEntry[]>
  /** The models as the API returns them: by id, once for each provider. */
  list(): Promise<CatalogueModel[]>
}

export interface CatalogueOptions {
  readonly providers: ProviderRegistry
  readonly prices: Prices
  readonly log: Logger
  /** How long to wait for the model list of a provider before its last list is used. */
  readonly maxWaitMs?: number
  /** How long the entries are kept, because a busy gateway needs them for every call. Default: not at all. */
  readonly keepMs?: number
  /** The number of changes of keys, prices and providers so far: kept entries from before a change are not used. */
  readonly changeCount?: () => number
}

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { providers, prices, log, maxWaitMs = 2500, keepMs = 0, changeCount = () => 0 } = options
  /** The list of a removed or changed provider goes with the provider. */
  const lists = new WeakMap<ModelProvider, FollowedList & { readonly priced: PricedList }>()

  function listOf(provider: ModelProvider) {
    const known = lists.get(provider)
    if (known !== undefined) return known
    const list = { ...followList({ provider, maxWaitMs, log }), priced: createPricedList(provider) }
    lists.set(provider, list)
    return list
  }

  let kept: { entries: readonly CatalogueEntry[]; untilMs: number; changes: number } | undefined

  async function find(): Promise<readonly CatalogueEntry[]> {
    const now = performance.now()
    const changes = changeCount()
    if (kept !== undefined && now < kept.untilMs && kept.changes === changes) return kept.entries
    const entries = await findNow()
    kept = { entries, untilMs: now + keepMs, changes }
    return entries
  }

  async function findNow(): Promise<readonly CatalogueEntry[]> {
    const registered = [...(await providers.read()).values()]
    const listed = await Promise.all(
      registered.map(async ({ provider }) => {
        const list = listOf(provider)
        return { ...list, models: await list.read() }
      }),
    )
    const providing = listed.filter(({ models }) => models.length > 0)
    const book = await prices.read(providing.map(({ provider }) => provider.name))
    return providing.flatMap(({ priced, models }) => priced(models, book))
  }

  return {
    find,
    findNow,
    async list() {
      // The sort is stable, so equal ids keep the order of their providers.
      const entries = (await find()).toSorted((one, other) => byId(one.model, other.model))
      return entries.map(describeModel)
    },
  }
}

type PricedList = (models: readonly ProvidedModel[], book: PriceBook) => readonly CatalogueEntry[]

/** Adds prices to models. The result is cached, because every call needs it and neither input changes often. */
function createPricedList({ name }: ModelProvider): PricedList {
  let cached:
    | { models: readonly ProvidedModel[]; book: PriceBook; entries: readonly CatalogueEntry[] }
    | undefined
  return (models, book) => {
    if (cached?.models !== models || cached.book !== book) {
      const entries = models.toSorted(byId).map((model) => ({
        provider: name,
        model: { ...model, contextLength: model.contextLength ?? book.contextLengthOf(name, model.id) },
        price: book.priceOf(name, model.id),
      }))
      cached = { models, book, entries }
    }
    return cached.entries
  }
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}

/**
 * The models of one provider, with a bounded wait.
 *
 * | the provider                   | `read` returns                                             |
 * |--------------------------------|------------------------------------------------------------|
 * | responds in time               | its list                                                   |
 * | takes longer than `maxWaitMs`  | its last list, after the wait; an empty list if it has none |
 * | is still working on that list  | its last list, at once                                     |
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
  let loading: Promise<readonly ProvidedModel[]> | undefined
  /** The running request has already exceeded `maxWaitMs` once. */
  let slow = false

  async function load(): Promise<readonly ProvidedModel[]> {
    try {
      known = await provider.list()
    } catch (error) {
      log.error({ err: error, provider: provider.name }, 'a provider failed to list its models')
    } finally {
      loading = undefined
      slow = false
    }
    return known ?? []
  }

  return {
    provider,
    async read() {
      const request = (loading ??= load())
      if (slow && known !== undefined) return known
      const inTime = await within(maxWaitMs, request)
      if (inTime !== undefined) return inTime
      slow = loading === request
      return known ?? []
    },
  }
}

/** Uses one timer, because this runs for every model call. */
async function within<Value>(ms: number, value: Promise<Value>): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  using _ = startRunningTimer(() => resolve(undefined), ms)
  return await Promise.race([value, late])
}
