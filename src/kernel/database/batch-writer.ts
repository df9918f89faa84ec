import { kernelFailure } from '#kernel/errors'

export interface BatchWriterOptions<Item, Result> {
  /** Commits all items in one go and answers one result for each, in order. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Most items one flush carries. */
  readonly maxItems?: number
  /** Most items that may wait for their flush; one more is refused as `overloaded`. */
  readonly maxWaiting?: number
}

export interface BatchWriter<Item, Result> extends AsyncDisposable {
  /** Resolves with the item's own result once the flush that carried it has committed. */
  write(item: Item): Promise<Result>
  /** Refuses new items, and resolves when everything that was waiting has been flushed. */
  close(): Promise<void>
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Many callers, few commits. Whatever is waiting goes out together as soon as the flush before it has returned, so
 * there is no timer and no added delay: a lone item is flushed at once, a crowd shares one commit. Of a crowd that is too large for
 * one, the rest is on its way before the first are answered: the database works while they go on.
 */
export function createBatchWriter<Item, Result>({
  flush,
  maxItems = 500,
  maxWaiting = 50_000,
}: BatchWriterOptions<Item, Result>): BatchWriter<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let draining: Promise<void> | undefined
  let closed = false

  /** Resolves with what is left to do: to answer. */
  async function flushBatch(batch: readonly Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const results = await flush(batch.map((it) => it.item))
      if (results.length !== batch.length) {
        throw new Error(`a flush of ${batch.length} items answered ${results.length} results`)
      }
      return () => batch.forEach((it, index) => it.resolve(results[index] as Result))
    } catch (error) {
      return () => batch.forEach((it) => it.reject(error))
    }
  }

  async function drain(): Promise<void> {
    // Callers of the same turn join the first flush.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting.length <= maxItems ? waiting : waiting.slice(0, maxItems)
      waiting = waiting.length <= maxItems ? [] : waiting.slice(maxItems)
      const answer = await flushBatch(batch)
      // After this turn, in which the next flush is sent.
      if (waiting.length > 0) setImmediate(answer)
      else answer()
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
