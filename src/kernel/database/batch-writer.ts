import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { Failure, kernelFailure } from '#kernel/errors'
import { isDatabaseUnavailable } from './database-errors.ts'
import { retryConflicts } from './retry-conflicts.ts'

interface BatchWriterOptions<Item, Result> {
  /** Commits all items together and returns one result per item, in order. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Maximum number of items in one flush. */
  readonly maxItems?: number
  /** Maximum number of items that wait for a flush; `write` rejects further items with `overloaded`. */
  readonly maxWaiting?: number
  /** Minimum time between the starts of two flushes, so that the items of a busy process share commits. Default: none. */
  readonly pauseMs?: number
}

interface BatchWriter<Item, Result> extends AsyncDisposable {
  /**
   * Resolves with the item's result once its flush has committed. Rejects with the error of that flush, with `overloaded` when too
   * many items wait, and with `shutting_down` after `close`.
   */
  write(item: Item): Promise<Result>
  /** Refuses new items, and resolves when all waiting items have been flushed. */
  close(): Promise<void>
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit for many concurrent callers. All waiting items are flushed together as soon as the previous flush has returned. Without
 * `pauseMs` there is no added delay: a single item is flushed at once, many items share one commit. When more items wait than one flush
 * may carry, the next flush is sent before the callers of the previous one continue, so the database does not idle meanwhile. `write`
 * throws; creating the writer does not.
 */
export function createBatchWriter<Item, Result>({
  flush,
  maxItems = 500,
  maxWaiting = 50_000,
  pauseMs = 0,
}: BatchWriterOptions<Item, Result>): BatchWriter<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let draining: Promise<void> | undefined
  let closed = false
  let flushedAtMs = Number.NEGATIVE_INFINITY

  async function pause(): Promise<void> {
    const leftMs = flushedAtMs + pauseMs - performance.now()
    if (leftMs > 0 && !closed && waiting.length < maxItems) await delay(leftMs)
    flushedAtMs = performance.now()
  }

  /** Resolves with a function that settles the callers of the batch. */
  async function flushBatch(batch: readonly Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const results = await flush(batch.map((it) => it.item))
      if (results.length !== batch.length) {
        throw new Error(`flush returned ${results.length} results for ${batch.length} items`)
      }
      return () => batch.forEach((it, index) => it.resolve(results[index] as Result))
    } catch (error) {
      return () => batch.forEach((it) => it.reject(error))
    }
  }

  async function drain(): Promise<void> {
    // Callers of the same event loop turn join the first flush.
    await Promise.resolve()
    while (waiting.length > 0) {
      if (pauseMs > 0) await pause()
      const batch = waiting.length <= maxItems ? waiting : waiting.slice(0, maxItems)
      waiting = waiting.length <= maxItems ? [] : waiting.slice(maxItems)
      const settle = await flushBatch(batch)
      // The next flush is sent in this turn, before the callers of this one continue.
      if (waiting.length > 0) setImmediate(settle)
      else settle()
    }
    draining = undefined
  }

  async function close(): Promise<void> {
    closed = true
    await draining
  }

  return {
    write(item) {
      if (closed) return Promise.reject(kernelFailure('shutting_down'))
      if (waiting.length >= maxWaiting) return Promise.reject(kernelFailure('overloaded'))
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        draining ??= drain()
      })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface GroupWriterOptions<Item, Result> {
  /** Approximate length of the item in the statement. */
  readonly lengthOf: (item: Item) => number
  /** Stores all items in one commit and returns one result per item. */
  readonly store: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Maximum number of items in one flush. */
  readonly maxItems?: number
  /** Items of this length are written one by one, apart from all others. Default: none, so that items are stored in their order. */
  readonly apartFrom?: number
}

/** From this length on, an item may take the database so long that others should not wait for it. */
export const largeItem = 256 * 1024

/**
 * Group commit for items of any length, stored in groups (`storeInGroups`). `write` throws the error of its own item.
 */
export function createGroupWriter<Item, Result>({
  lengthOf,
  store,
  maxItems,
  apartFrom = Number.POSITIVE_INFINITY,
}: GroupWriterOptions<Item, Result>): BatchWriter<Item, Result> {
  const flush = (items: readonly Item[]) => storeInGroups(items, { lengthOf, store })
  const writer = createBatchWriter({ flush, ...(maxItems !== undefined && { maxItems }) })
  const writerApart = createBatchWriter({ flush, maxItems: 1 })

  async function close(): Promise<void> {
    await Promise.all([writer.close(), writerApart.close()])
  }

  return {
    async write(item) {
      const outcome = await (lengthOf(item) >= apartFrom ? writerApart : writer).write(item)
      if ('error' in outcome) throw outcome.error
      return outcome.value
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The outcome of one item of a group. */
type StoreOutcome<Result> = { readonly value: Result } | { readonly error: unknown }

/** Approximate maximum of one statement, so that many large items do not add up to hundreds of megabytes. */
const maxStatementLength = 4 * 1024 * 1024

/**
 * No item of a group is stored singly after this time. A locked row takes ten seconds; when several do, the lock is likely one that all
 * items need, and all that wait for this group would wait for each of its items.
 */
const maxSinglyMs = 15_000

/**
 * Stores the items with as few statements as the maximum length allows. Returns one outcome per item and does not throw.
 *
 * | a group fails because                                             | then its items                                  |
 * |-------------------------------------------------------------------|-------------------------------------------------|
 * | of a deadlock or a serialisation failure                          | are stored again together (`retryConflicts`)    |
 * | of one of its items: its content, or a row that stays locked      | are stored one by one, so that it fails alone   |
 * | of a conflict that each attempt meets                             | are stored one by one                           |
 * | and storing them one by one takes too long                        | the rest fails with the error of the group      |
 * | of the database or the statement                                  | all fail                                        |
 */
export async function storeInGroups<Item, Result>(
  items: readonly Item[],
  { lengthOf, store }: Pick<GroupWriterOptions<Item, Result>, 'lengthOf' | 'store'>,
): Promise<StoreOutcome<Result>[]> {
  async function storeGroup(group: readonly Item[]): Promise<StoreOutcome<Result>[]> {
    try {
      const results = await retryConflicts(() => store(group))
      return results.map((value) => ({ value }))
    } catch (error) {
      if (group.length === 1 || !isOfOneItem(error)) return group.map(() => ({ error }))
      return await storeSingly(group, error)
    }
  }

  async function storeSingly(group: readonly Item[], cause: unknown): Promise<StoreOutcome<Result>[]> {
    const until = performance.now() + maxSinglyMs
    const outcomes: StoreOutcome<Result>[] = []
    for (const item of group) {
      const isLate = performance.now() > until
      outcomes.push(...(isLate ? [{ error: cause }] : await storeGroup([item])))
    }
    return outcomes
  }

  const outcomes: StoreOutcome<Result>[] = []
  for (const group of groupByLength(items, lengthOf)) outcomes.push(...(await storeGroup(group)))
  return outcomes
}

/**
 * SQLSTATE classes with a cause that may be one row of several: data exceptions, violated constraints, conflicts with other transactions,
 * limits such as nesting, rows that stay locked, exceptions of triggers, broken rows.
 */
const rowClasses = /^(?:22|23|40|54|55|P0|XX)/

/** Whether one item may be the cause: PostgreSQL refused it, or it has no binary format, which is an error of no database at all. */
function isOfOneItem(error: unknown): boolean {
  return error instanceof DatabaseError ? rowClasses.test(error.code ?? '') : !(error instanceof Failure)
}

function groupByLength<Item>(items: readonly Item[], lengthOf: (item: Item) => number): Item[][] {
  const groups: Item[][] = []
  let remainingLength = 0
  for (const item of items) {
    const length = lengthOf(item)
    if (length > remainingLength || groups.length === 0) {
      groups.push([])
      remainingLength = maxStatementLength
    }
    groups.at(-1)?.push(item)
    remainingLength -= length
  }
  return groups
}

/** The escapes that JSON.stringify writes for characters jsonb cannot store: NUL and lone surrogates. */
const unstorable = /\\u(?:0000|d[89a-f][0-9a-f]{2})/

/**
 * JSON that PostgreSQL can store. Streamed text may split a character, and responses of other services may contain anything:
 * characters that jsonb cannot store are replaced by U+FFFD instead of being refused. Throws a `TypeError` for a value that is not JSON,
 * such as a cycle.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  return unstorable.test(text) ? JSON.stringify(makeStorable(JSON.parse(text))) : text
}

function makeStorable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD')
  if (Array.isArray(value)) return value.map(makeStorable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [makeStorable(key), makeStorable(item)]),
  )
}

interface RetryOptions {
  /** No attempt starts after this time. */
  readonly deadlineMs?: number
  readonly attempts?: number
  readonly signal?: AbortSignal
}

/**
 * Retries `work` while the database is unreachable, then throws its last error; throws any other error at once, and the reason of the
 * signal when it aborts. Only for idempotent work: when a connection breaks, it
 * is unknown whether a commit in progress was carried out.
 */
export async function retryWhenUnavailable<Result>(
  work: () => Promise<Result>,
  { deadlineMs = 60_000, attempts = Number.POSITIVE_INFINITY, signal }: RetryOptions = {},
): Promise<Result> {
  const deadline = Date.now() + deadlineMs
  for (let attempt = 1, waitMs = 50; ; attempt++, waitMs = Math.min(waitMs * 2, 2000)) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || attempt >= attempts || Date.now() + waitMs >= deadline) throw error
    }
    // Jitter, so that waiting callers do not all retry in the same instant.
    await delay(waitMs * (0.5 + Math.random() / 2), undefined, signal === undefined ? {} : { signal })
  }
}
