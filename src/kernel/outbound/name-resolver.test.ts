import { expect, test } from 'vitest'
import { createLookupSlots, orderAddresses } from './name-resolver.ts'

const order = (addresses: readonly string[], own: readonly string[]) => orderAddresses(addresses, () => own)

test.each([
  ['IPv6 comes first where this machine has a global address', ['2606:4700::1', '1.1.1.1'], ['2a01:db8::5']],
  ['IPv4 comes first where it has none', ['1.1.1.1', '2606:4700::1'], ['fe80::1', 'fd00::5', '::1']],
  ['IPv4 comes before a local network', ['1.1.1.1', 'fd00::1'], ['fd00::5']],
  ['loopback comes first where there is one', ['::1', '127.0.0.1'], ['::1']],
  ['and last where there is none', ['127.0.0.1', '::1'], ['127.0.0.1']],
])('%s', (_what, ordered, own) => {
  expect(order(ordered, own)).toEqual(ordered)
  expect(order(ordered.toReversed(), own)).toEqual(ordered)
})

test('addresses of one family keep the order of the server', () => {
  for (const addresses of [
    ['9.9.9.9', '1.1.1.1'],
    ['fd00::1', '2606:4700::1'],
  ])
    expect(order(addresses, [])).toEqual(addresses)
})

const { signal } = new AbortController()

/** Takes a slot and returns whether it was free at once. */
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
