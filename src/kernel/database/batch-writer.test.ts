import { DatabaseError } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBatchWriter, createGroupWriter, retryWhenUnavailable, storeInGroups } from './batch-writer.ts'
import { databaseUnavailable } from './database-errors.ts'

/** A flush that the test commits or fails. */
function createFlush() {
  const flushed: { items: readonly number[]; commit: () => void; fail: (error: Error) => void }[] = []
  return {
    flushed,
    flush: (items: readonly number[]) =>
      new Promise<string[]>((resolve, reject) => {
        flushed.push({ items, commit: () => resolve(items.map((item) => `result ${item}`)), fail: reject })
      }),
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a single item is flushed at once', async () => {
  const { flush, flushed } = createFlush()
  const writer = createBatchWriter({ flush })
  const written = writer.write(1)
  await Promise.resolve()
  expect(flushed.map((it) => it.items)).toEqual([[1]])
  flushed[0]?.commit()
  expect(await written).toBe('result 1')
})

test('waiting items are flushed together as soon as the previous flush has returned', async () => {
  const { flush, flushed } = createFlush()
  const writer = createBatchWriter({ flush })
  const first = writer.write(1)
  await nextTurn()
  const rest = [writer.write(2), writer.write(3), writer.write(4)]
  await nextTurn()
  expect(flushed).toHaveLength(1)

  flushed[0]?.commit()
  expect(await first).toBe('result 1')
  await nextTurn()
  expect(flushed.map((it) => it.items)).toEqual([[1], [2, 3, 4]])
  flushed[1]?.commit()
  expect(await Promise.all(rest)).toEqual(['result 2', 'result 3', 'result 4'])
})

test('a write resolves only after the commit of its item', async () => {
  const { flush, flushed } = createFlush()
  const writer = createBatchWriter({ flush })
  const results: string[] = []
  const written = writer.write(1).then((result) => results.push(result))
  await nextTurn()
  expect(results).toEqual([])
  flushed[0]?.commit()
  await written
  expect(results).toEqual(['result 1'])
})

test('with a pause, items that follow soon after a flush share the next one', async () => {
  // However long a busy machine takes, they follow at once.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const flushed: (readonly number[])[] = []
  const writer = createBatchWriter<number, void>({
    flush: async (items) => {
      flushed.push(items)
      return items.map(() => undefined)
    },
    pauseMs: 500,
  })
  await writer.write(1)
  const startedMs = Date.now()
  const second = writer.write(2)
  await nextTurn()
  await Promise.all([second, writer.write(3)])
  expect(flushed).toEqual([[1], [2, 3]])
  expect(Date.now() - startedMs).toBeGreaterThan(300)
  const last = writer.write(4)
  await writer.close()
  await last
})

test('a flush carries at most maxItems', async () => {
  const sizes: number[] = []
  const writer = createBatchWriter({
    maxItems: 3,
    flush: (items: readonly number[]) => {
      sizes.push(items.length)
      return Promise.resolve(items)
    },
  })
  expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => writer.write(item)))).toEqual([
    1, 2, 3, 4, 5, 6, 7,
  ])
  expect(sizes).toEqual([3, 3, 1])
})

test('the next batch is sent before the callers of the previous one continue', async () => {
  const { flush, flushed } = createFlush()
  const writer = createBatchWriter({ flush, maxItems: 1 })
  const sentBefore = writer.write(1).then(() => flushed.length)
  const second = writer.write(2)
  await nextTurn()
  flushed[0]?.commit()
  expect(await sentBefore).toBe(2)
  flushed[1]?.commit()
  expect(await second).toBe('result 2')
})

test('a failed flush rejects only its own callers', async () => {
  const { flush, flushed } = createFlush()
  const writer = createBatchWriter({ flush })
  const failing = [writer.write(1), writer.write(2)].map((it) => it.catch((error: Error) => error.message))
  await nextTurn()
  const later = writer.write(3)
  flushed[0]?.fail(new Error('the disk is full'))
  expect(await Promise.all(failing)).toEqual(['the disk is full', 'the disk is full'])
  await nextTurn()
  flushed[1]?.commit()
  expect(await later).toBe('result 3')
})

test('a flush that throws synchronously, or returns too few results, rejects its callers', async () => {
  const throwing = createBatchWriter<number, number>({
    flush: () => {
      throw new Error('not even started')
    },
  })
  await expect(throwing.write(1)).rejects.toThrow('not even started')
  const incomplete = createBatchWriter<number, number>({ flush: () => Promise.resolve([]) })
  await expect(incomplete.write(1)).rejects.toThrow('flush returned 0 results for 1 items')
})

test('an item beyond maxWaiting is refused as overloaded', async () => {
  const { flush, flushed } = createFlush()
  const writer = createBatchWriter({ flush, maxWaiting: 2 })
  const flushing = writer.write(1)
  await nextTurn()
  const waiting = [writer.write(2), writer.write(3)]
  await expect(writer.write(4)).rejects.toMatchObject({ code: 'overloaded' })

  flushed[0]?.commit()
  await flushing
  await nextTurn()
  flushed[1]?.commit()
  expect(await Promise.all(waiting)).toEqual(['result 2', 'result 3'])
})

test('close waits for accepted items and refuses new ones', async () => {
  const { flush, flushed } = createFlush()
  const writer = createBatchWriter({ flush })
  const written = [writer.write(1)]
  await nextTurn()
  written.push(writer.write(2))
  const order: string[] = []
  const closing = writer.close().then(() => order.push('closed'))
  await expect(writer.write(3)).rejects.toMatchObject({ code: 'shutting_down' })
  flushed[0]?.commit()
  await nextTurn()
  expect(order).toEqual([])
  flushed[1]?.commit()
  await closing
  expect(await Promise.all(written)).toEqual(['result 1', 'result 2'])
})

test('items written apart hold up no others, and are written one by one', async () => {
  const begun: string[][] = []
  const ends: (() => void)[] = []
  const writer = createGroupWriter<string, string>({
    lengthOf: (item) => item.length,
    apartFrom: 5,
    store: async (items) => {
      begun.push([...items])
      await new Promise<void>((resolve) => ends.push(resolve))
      return items
    },
  })
  const large = ['large 1', 'large 2'].map((item) => writer.write(item))
  const small = ['a', 'b'].map((item) => writer.write(item))
  await vi.waitFor(() => expect(begun).toEqual([['large 1'], ['a', 'b']]))
  ends[1]?.()
  expect(await Promise.all(small)).toEqual(['a', 'b'])
  ends[0]?.()
  expect(await large[0]).toBe('large 1')
  await vi.waitFor(() => expect(begun[2]).toEqual(['large 2']))
  ends[2]?.()
  expect(await large[1]).toBe('large 2')
})

test('retries while the database is unreachable', async () => {
  const work = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(databaseUnavailable())
    .mockResolvedValueOnce('done')
  expect(await retryWhenUnavailable(work)).toBe('done')
  expect(work).toHaveBeenCalledTimes(2)
})

test('does not retry any other error', async () => {
  const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('a mistake in the statement'))
  await expect(retryWhenUnavailable(work)).rejects.toThrow('a mistake in the statement')
  expect(work).toHaveBeenCalledTimes(1)
})

test('gives up after the maximum attempts, or at the deadline', async () => {
  const work = vi.fn<() => Promise<void>>().mockImplementation(() => Promise.reject(databaseUnavailable()))
  await expect(retryWhenUnavailable(work, { attempts: 2 })).rejects.toMatchObject({
    code: 'database_unavailable',
  })
  expect(work).toHaveBeenCalledTimes(2)
  await expect(retryWhenUnavailable(work, { deadlineMs: 10 })).rejects.toMatchObject({
    code: 'database_unavailable',
  })
  expect(work).toHaveBeenCalledTimes(3)
})

test('an abort ends the wait', async () => {
  const abort = new AbortController()
  const waiting = retryWhenUnavailable(() => Promise.reject(databaseUnavailable()), { signal: abort.signal })
  abort.abort(new Error('no longer wanted'))
  await expect(waiting).rejects.toThrow()
})

/** Stores groups without item 2, and fails with the error for those that contain it. */
function createStore(error: Error) {
  const groups: (readonly number[])[] = []
  return {
    groups,
    store: async (group: readonly number[]) => {
      groups.push(group)
      if (group.includes(2)) throw error
      return group
    },
  }
}

const lengthOf = () => 1
const databaseError = (code: string) =>
  Object.assign(new DatabaseError(`failed with ${code}`, 0, 'error'), { code })

describe('a group of items of which one cannot be stored', () => {
  test.each([
    ['refused content', databaseError('22P02')],
    ['a violated constraint', databaseError('23514')],
    ['a row that stays locked', databaseError('55P03')],
    ['an exception of a trigger', databaseError('P0001')],
    ['a broken row', databaseError('XX001')],
    ['a value that has no binary format', new RangeError('out of range')],
  ])('stores the others one by one: %s', async (_, error) => {
    const { store, groups } = createStore(error)
    expect(await storeInGroups([1, 2, 3], { lengthOf, store })).toEqual([
      { value: 1 },
      { error },
      { value: 3 },
    ])
    expect(groups).toEqual([[1, 2, 3], [1], [2], [3]])
  })

  test.each([
    ['the database is unavailable', databaseUnavailable()],
    ['the statement is cancelled', databaseError('57014')],
    ['a table is missing', databaseError('42P01')],
  ])('fails as a whole when the reason is no item: %s', async (_, error) => {
    const { store, groups } = createStore(error)
    expect(await storeInGroups([1, 2, 3], { lengthOf, store })).toEqual([{ error }, { error }, { error }])
    expect(groups).toHaveLength(1)
  })
})

test('a group that met a deadlock is stored again, as a whole', async () => {
  const store = vi
    .fn<(group: readonly number[]) => Promise<readonly number[]>>()
    .mockRejectedValueOnce(databaseError('40P01'))
    .mockImplementation(async (group) => group)
  expect(await storeInGroups([1, 2], { lengthOf, store })).toEqual([{ value: 1 }, { value: 2 }])
  expect(store.mock.calls).toEqual([[[1, 2]], [[1, 2]]])
})

test('an item that deadlocks each time fails alone, after a bounded number of attempts', async () => {
  const error = databaseError('40P01')
  const { store, groups } = createStore(error)
  expect(await storeInGroups([1, 2, 3], { lengthOf, store })).toEqual([{ value: 1 }, { error }, { value: 3 }])
  expect(groups.filter((group) => group.includes(2))).toHaveLength(10)
})

test('items that all wait for the same lock do not each wait in turn', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const error = databaseError('55P03')
  const store = vi.fn<() => Promise<number[]>>().mockImplementation(() => {
    vi.advanceTimersByTime(10_000)
    return Promise.reject(error)
  })
  const items = Array.from({ length: 32 }, (_, index) => index)
  expect(await storeInGroups(items, { lengthOf, store })).toEqual(items.map(() => ({ error })))
  expect(store).toHaveBeenCalledTimes(3)
})
