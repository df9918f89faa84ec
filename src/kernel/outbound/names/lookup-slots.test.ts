import { expect, test } from 'vitest'
import { createLookupSlots } from './lookup-slots.ts'

const { signal } = new AbortController()

/** Takes a slot and tells whether it was there at once. */
async function isFree(taken: Promise<Disposable>): Promise<boolean> {
  return await Promise.race([
    taken.then(() => true),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ])
}

test('an account waits only for its own lookups', async () => {
  const slots = createLookupSlots({ perAccount: 1, total: 2, maxWaiting: 9 })
  const first = await slots.take('a', signal)
  const second = slots.take('a', signal)
  expect(await isFree(second)).toBe(false)
  expect(await isFree(slots.take('b', signal))).toBe(true)
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  expect(await isFree(second)).toBe(true)
  expect(await isFree(slots.take('c', signal))).toBe(false)
})

test('an aborted lookup leaves the queue, and a full queue refuses more', async () => {
  const slots = createLookupSlots({ perAccount: 1, total: 2, maxWaiting: 1 })
  const first = await slots.take('a', signal)
  const giveUp = new AbortController()
  const given = slots.take('a', giveUp.signal)
  await expect(slots.take('a', signal)).rejects.toThrow('more than 1 lookups of account a are waiting')
  giveUp.abort('enough')
  await expect(given).rejects.toBe('enough')
  const next = slots.take('a', signal)
  first[Symbol.dispose]()
  expect(await isFree(next)).toBe(true)
})
