import { expect, test } from 'vitest'
import { orderAddresses } from './order-addresses.ts'

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

test('addresses of one family stay as the server gave them', () => {
  for (const addresses of [
    ['9.9.9.9', '1.1.1.1'],
    ['fd00::1', '2606:4700::1'],
  ])
    expect(order(addresses, [])).toEqual(addresses)
})
