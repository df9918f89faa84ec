import { expect, test } from 'vitest'
import { createMetrics } from '#kernel/telemetry'
import { chores } from './work-chores.ts'
import { addChores, openChoreScene, untilState } from './work-setting.ts'

test('metrics tell how many rows are due, and for how long', async () => {
  await using scene = await openChoreScene()
  const { database } = scene
  const metrics = createMetrics({ watchProcess: false })
  const first = Promise.withResolvers<void>()
  const worker = await scene.startWorker(
    async (claim) => {
      await first.promise
      await chores.finish(database, claim)
    },
    { metrics, concurrency: 1 },
  )
  const [claimed] = await addChores(database, ['claimed'])
  await untilState(database, claimed, 'running')
  await addChores(database, ['late', 'later'], { delayMs: -60_000 })
  const [last] = await addChores(database, ['last'], { delayMs: -30_000 })
  await addChores(database, ['not due'], { delayMs: 600_000 })

  const text = await metrics.render()
  expect(text).toContain('tutti_work_due{queue="chores"} 3')
  const oldest = Number(/tutti_work_oldest_due_seconds\{queue="chores"\} (\S+)/.exec(text)?.[1])
  expect(oldest).toBeGreaterThanOrEqual(60)
  expect(oldest).toBeLessThan(180)

  first.resolve()
  await untilState(database, last, 'finished')
  const after = await metrics.render()
  expect(after).toContain('tutti_work_due{queue="chores"} 0')
  expect(after).toContain('tutti_work_oldest_due_seconds{queue="chores"} 0')

  await worker.stop()
  expect(await metrics.render()).not.toContain('tutti_work_due{')
})
