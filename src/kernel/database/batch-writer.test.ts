import { expect, test } from 'vitest'
import { createBatchWriter } from './batch-writer.ts'

/** A flush whose end the test decides. */
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

test('a lone item is flushed at once', async () => {
  const { flush, flushed } = createFlush()
  const writer = createBatchWriter({ flush })
  const written = writer.write(1)
  await Promise.resolve()
  expect(flushed.map((it) => it.items)).toEqual([[1]])
  flushed[0]?.commit()
  expect(await written).toBe('result 1')
})

test('items that wait go out together as soon as the flush before them has returned', async () => {
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

test('nobody is answered before the commit that carries their item', async () => {
  const { flush, flushed } = createFlush()
  const writer = createBatchWriter({ flush })
  const answered: string[] = []
  const written = writer.write(1).then((result) => answered.push(result))
  await nextTurn()
  expect(answered).toEqual([])
  flushed[0]?.commit()
  await written
  expect(answered).toEqual(['result 1'])
})

test('a flush carries no more than it may', async () => {
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

test('of a crowd that is too large, the next are on their way before the first are answered', async () => {
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

test('a flush that fails rejects its own callers and nobody else', async () => {
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

test('a flush that throws at once, or answers too little, rejects its callers', async () => {
  const throwing = createBatchWriter<number, number>({
    flush: () => {
      throw new Error('not even started')
    },
  })
  await expect(throwing.write(1)).rejects.toThrow('not even started')
  const forgetful = createBatchWriter<number, number>({ flush: () => Promise.resolve([]) })
  await expect(forgetful.write(1)).rejects.toThrow('a flush of 1 items answered 0 results')
})

test('one item more than may wait is refused as overloaded', async () => {
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

test('close waits for everything that was accepted and refuses what comes after', async () => {
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
