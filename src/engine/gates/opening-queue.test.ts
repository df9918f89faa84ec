import { expect, test } from 'vitest'
import type { GateScope } from './open-gate.ts'
import { createOpeningQueue } from './opening-queue.ts'

/** Openings that end one at a time, in the order in which they began. */
function createHeldOpenings() {
  const begun: string[] = []
  const held: (() => void)[] = []
  const openOne = async ({ flowId, concurrencyKey }: GateScope): Promise<void> => {
    begun.push(`${flowId} ${concurrencyKey}`)
    const { promise, resolve } = Promise.withResolvers<void>()
    held.push(resolve)
    await promise
  }
  async function endNext(): Promise<void> {
    held.shift()?.()
    await new Promise(setImmediate)
  }
  return { begun, openOne, endNext, running: () => held.length }
}

test('a flow with many keys has one opening at a time, and others take their turn', async () => {
  const openings = createHeldOpenings()
  const queue = createOpeningQueue(openings.openOne)
  for (let key = 0; key < 1000; key += 1) queue.add({ flowId: 'busy', concurrencyKey: `${key}` })
  expect(openings.begun).toEqual(['busy 0'])
  for (const flowId of ['a', 'b', 'c', 'd']) queue.add({ flowId, concurrencyKey: null })
  expect(openings.begun.slice(1)).toEqual(['a null', 'b null', 'c null'])
  await openings.endNext()
  expect(openings.begun.slice(4)).toEqual(['d null'])
  await openings.endNext()
  expect(openings.begun.slice(5)).toEqual(['busy 1'])
  expect(openings.running()).toBe(4)
})

test('a scope that waits already is opened once, and one that is running once more', async () => {
  const openings = createHeldOpenings()
  const queue = createOpeningQueue(openings.openOne)
  for (let times = 0; times < 3; times += 1) queue.add({ flowId: 'a', concurrencyKey: 'x' })
  await openings.endNext()
  await openings.endNext()
  expect(openings.begun).toEqual(['a x', 'a x'])
  expect(openings.running()).toBe(0)
})

test('nothing is opened once the queue is closed, which waits for what runs', async () => {
  const openings = createHeldOpenings()
  const queue = createOpeningQueue(openings.openOne)
  queue.add({ flowId: 'a', concurrencyKey: 'x' })
  queue.add({ flowId: 'a', concurrencyKey: 'y' })
  const closed = queue[Symbol.asyncDispose]()
  await openings.endNext()
  await closed
  expect(openings.begun).toEqual(['a x'])
})
