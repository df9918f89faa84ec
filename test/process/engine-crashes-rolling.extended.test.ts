import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { patiently } from '../database/work-setting.ts'
import { openCrashScene } from './crash-scene.ts'

test('workers that are killed or stopped again and again make no execution fail', async () => {
  await using scene = await openCrashScene()
  const ids = await Promise.all(Array.from({ length: 6 }, () => scene.enqueue('innocent')))
  for (let kill = 0; kill < 8; kill += 1) {
    const worker = await scene.startWorker()
    if (kill % 2 === 0) for (const id of ids) await worker.waitForLine(new RegExp(`^asking ${id}`))
    else await delay(kill * 300)
    await worker.kill(kill % 3 === 2 ? 'SIGTERM' : 'SIGKILL')
  }
  const last = await scene.startWorker()
  for (const id of ids) await last.waitForLine(new RegExp(`^asking ${id}`))
  for (const id of ids) {
    const { status, claims } = await scene.read(id)
    expect(status).toBe('running')
    // They were in flight at more deaths than an execution that crashes its workers survives.
    expect(claims).toBeGreaterThan(4)
  }
  await scene.release()
  await vi.waitFor(async () => {
    for (const id of ids) expect(await scene.read(id)).toMatchObject({ status: 'completed' })
  }, patiently)
  expect(await scene.countSuspects()).toBe(0)
})
