/** The items of all sources as they come, until one of them ends; then the others are ended, too. */
export async function* mergeStreams<Item>(
  sources: readonly AsyncIterable<Item>[],
): AsyncGenerator<Item, void, undefined> {
  const readers = sources.map((source) => source[Symbol.asyncIterator]())
  const next = async (index: number) => ({ index, result: await readers[index]?.next() })
  const waiting = readers.map((_reader, index) => next(index))
  try {
    for (;;) {
      const { index, result } = await Promise.race(waiting)
      if (result === undefined || result.done === true) return
      yield result.value
      waiting[index] = next(index)
    }
  } finally {
    // Not waited for: a source that waits for its next item ends only when its own signal says so.
    void Promise.allSettled([...waiting, ...readers.map((reader) => reader.return?.())])
  }
}
