import { describe, expect, test } from 'vitest'
import { parseAddress, refusalOfAddress } from './address.ts'

function refusalOf(text: string) {
  const address = parseAddress(text)
  if (address === undefined) throw new Error(`${text} is no address`)
  return refusalOfAddress(address)
}

describe('an address is refused', () => {
  test.each([
    ['0.0.0.0', 'loopback'],
    ['0.1.2.3', 'loopback'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['100.127.255.254', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['fc00::1', 'private'],
    ['fdff:ffff::1', 'private'],
    ['fec0::1', 'private'],
    ['169.254.1.1', 'link_local'],
    ['fe80::1', 'link_local'],
    ['fe80::1%eth0', 'link_local'],
    ['2606:4700::1%eth0', 'link_local'],
    ['169.254.169.254', 'metadata'],
    ['169.254.170.2', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['::ffff:169.254.169.254', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['FD00:EC2:0:0:0:0:0:254', 'metadata'],
    ['64:ff9b::a9fe:a9fe', 'metadata'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['255.255.255.255', 'multicast'],
    ['ff02::1', 'multicast'],
    ['192.0.0.1', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['192.88.99.1', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['198.19.255.255', 'reserved'],
    ['198.51.100.1', 'reserved'],
    ['203.0.113.1', 'reserved'],
    ['240.0.0.1', 'reserved'],
    ['192.175.48.1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['3fff::1', 'reserved'],
    ['100::1', 'reserved'],
    ['2001:2::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['::127.0.0.1', 'reserved'],
    ['::8.8.8.8', 'reserved'],
    ['4000::1', 'reserved'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b:1::808:808', 'tunnel'],
    ['::ffff:0:7f00:1', 'tunnel'],
    ['2002:7f00:1::', 'tunnel'],
    ['2002:808:808::1', 'tunnel'],
    ['2001::1', 'tunnel'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'tunnel'],
    ['2606:4700::5efe:10.0.0.1', 'tunnel'],
    ['2606:4700::200:5efe:7f00:1', 'tunnel'],
  ])('%s as %s', (text, reason) => {
    expect(refusalOf(text)).toBe(reason)
  })

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('but %s is an ordinary public one', (text) => {
    expect(refusalOf(text)).toBeUndefined()
  })

  test('only the canonical notation is an address', () => {
    for (const text of [
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '',
      'localhost',
      '1.2.3.4.5',
      '[::1]',
      '127.0.0.1.',
    ]) {
      expect(parseAddress(text)).toBeUndefined()
    }
  })
})
