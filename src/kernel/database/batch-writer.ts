import { kernelFailure } from '#kernel/errors'

interface BatchWriterOptions<Item, Result> {
  /** Commits all items together and returns one result per item, in order. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Maximum number of items in one flush. */
  readonly maxItems?: number
  /** Maximum number of items that wait for a flush; `write` rejects further items with `overloaded`. */
  readonly maxWaiting?: number
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
 * Group commit for many concurrent callers. All waiting items are flushed together as soon as the previous flush has returned. There
 * is no timer and no added delay: a single item is flushed at once, many items share one commit. When more items wait than one flush
 * may carry, the next flush is sent before the callers of the previous one continue, so the database does not idle meanwhile.
 */
export function createBatchWriter<Item, Result>({
  flush,
  maxItems = 500,
  maxWaiting = 50_000,
}: BatchWriterOptions<Item, Result>): BatchWriter<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let draining: Promise<void> | undefined
  let closed = false

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
