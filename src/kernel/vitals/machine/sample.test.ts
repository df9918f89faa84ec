import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createSampler } from './sample.ts'

test('a process that works hard is seen doing it', async () => {
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

test('a folder that is not there has no disk', async () => {
  const sampler = createSampler('/nowhere/at/all')
  const { diskPercent } = await sampler.take()
  sampler.close()
  expect(diskPercent).toBeNull()
})
