import { expect, test } from 'vitest'
import { readDiskStats, readNetworkDevices } from './io-counters.ts'

test('whole disks are added up, in bytes, without partitions and loops', () => {
  const text = [
    '   7       0 loop0 9 0 999 0 9 0 999 0 0 0 0',
    ' 259       0 nvme0n1 10 0 100 5 20 0 300 6 0 0 0',
    ' 259       1 nvme0n1p1 10 0 100 5 20 0 300 6 0 0 0',
    '   8       0 sda 1 0 8 5 2 0 16 6 0 0 0',
  ].join('\n')
  expect(readDiskStats(text)).toEqual({ diskRead: 108 * 512, diskWritten: 316 * 512 })
})

test('a system that tells of no disk has no numbers', () => {
  expect(readDiskStats('')).toEqual({ diskRead: null, diskWritten: null })
})

test('network devices are added up without the loop', () => {
  const text = [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls',
    '    lo: 500 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0',
    '  eth0: 1000 2 0 0 0 0 0 0 70 3 0 0 0 0 0 0',
    '  eth1:  11 2 0 0 0 0 0 0 5 3 0 0 0 0 0 0',
  ].join('\n')
  expect(readNetworkDevices(text)).toEqual({ networkIn: 1011, networkOut: 75 })
  expect(readNetworkDevices(undefined)).toEqual({ networkIn: null, networkOut: null })
})
