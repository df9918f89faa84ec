import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createSampler, readDiskStats, readNetworkDevices } from './machine-sample.ts'

test('a sample includes the processor time of a busy process', async () => {
  const sampler = createSampler(tmpdir())
  await sampler.take()
  for (const before = process.cpuUsage(); process.cpuUsage(before).user < 50_000; );
  const busy = await sampler.take()
  sampler.close()
  expect(busy.processCpuPercent).toBeGreaterThan(0)
  expect(busy.cpuPercent).toBeGreaterThan(0)
  expect(busy.processRssBytes).toBeGreaterThan(10_000_000)
  for (const percent of [busy.cpuPercent, busy.memoryPercent, busy.diskPercent]) {
    expect(percent).toBeGreaterThanOrEqual(0)
    expect(percent).toBeLessThanOrEqual(100)
  }
  expect(busy.memoryUsedBytes).toBeLessThanOrEqual(busy.memoryTotalBytes)
})

test('a missing folder has no disk usage', async () => {
  const sampler = createSampler('/nowhere/at/all')
  const { diskPercent } = await sampler.take()
  sampler.close()
  expect(diskPercent).toBeNull()
})

test('whole disks are added up in bytes, without partitions and loop devices', () => {
  const text = [
    '   7       0 loop0 9 0 999 0 9 0 999 0 0 0 0',
    ' 259       0 nvme0n1 10 0 100 5 20 0 300 6 0 0 0',
    ' 259       1 nvme0n1p1 10 0 100 5 20 0 300 6 0 0 0',
    '   8       0 sda 1 0 8 5 2 0 16 6 0 0 0',
  ].join('\n')
  expect(readDiskStats(text)).toEqual({ diskRead: 108 * 512, diskWritten: 316 * 512 })
})

test('without disks there are no numbers', () => {
  expect(readDiskStats('')).toEqual({ diskRead: null, diskWritten: null })
})

test('network devices are added up without loopback', () => {
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
