import { expect, test, vi } from 'vitest'
import { patiently } from '../database/work-setting.ts'
import { openCrashScene } from './crash-scene.ts'

test('an execution that crashes its workers fails after three of them; those beside it complete', async () => {
  await using scene = await openCrashScene()
  const innocent = await Promise.all(Array.from({ length: 4 }, () => scene.enqueue('innocent')))
  const first = await scene.startWorker()
  for (const id of innocent) await first.waitForLine(new RegExp(`^asking ${id}`))
  const guilty = await scene.enqueue('guilty')
  await first.waitForLine(/^hoarding/)
  expect((await first.exit).signal).toBe('SIGABRT')
  for (let crashes = 2; crashes <= 3; crashes += 1) {
    const next = await scene.startWorker()
    expect((await next.exit).signal).toBe('SIGABRT')
    expect(next.stdout).toContain('hoarding')
  }
  const last = await scene.startWorker()
  await vi.waitFor(async () => {
    expect(await scene.read(guilty)).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL_ERROR', message: expect.stringContaining('its worker crashed 3 times') },
    })
  }, patiently)
  for (const id of innocent) await last.waitForLine(new RegExp(`^asking ${id}`))
  await scene.release()
  await vi.waitFor(async () => {
    for (const id of innocent) expect(await scene.read(id)).toMatchObject({ status: 'completed' })
  }, patiently)
  expect(last.stdout).not.toContain('hoarding')
  expect(await scene.countSuspects()).toBe(0)
})
