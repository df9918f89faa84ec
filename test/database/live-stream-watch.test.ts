import { expect, test } from 'vitest'
import { migrate } from '#kernel/database'
import { createEvents } from '#kernel/events'
import { createMetrics } from '#kernel/telemetry'
import { createWorker, createWorkerDirectory } from '#kernel/work'
import { orchestraMigrations } from '#orchestra'
import { openStreamPresence } from '#outbox'
import { migrationSets } from '../../src/app/migrations.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { quiet } from './webhooks-worker.ts'

async function openScene() {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  await migrate(database, [...new Set([...migrationSets, orchestraMigrations])], quiet)
  const metrics = createMetrics({ watchProcess: false })
  const events = closing.use(createEvents({ database, log: quiet, metrics }))
  const opened = closing.move()
  return {
    database,
    events,
    /** Like another process. */
    openStreamPresence: async (keepMs: number) =>
      opened.use(
        await openStreamPresence({
          database,
          events,
          log: quiet,
          workers: createWorkerDirectory(database),
          works: true,
          keepMs,
          renewMs: 50,
        }),
      ),
    /** Registers a worker in the worker directory. */
    async startWorker() {
      const worker = createWorker({ database, log: quiet, metrics, role: 'worker', queues: [] })
      opened.defer(() => worker.stop())
      await worker.start()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('every process knows that another process has a viewer, also one that starts later', async () => {
  await using scene = await openScene()
  const [here, there] = [await scene.openStreamPresence(60_000), await scene.openStreamPresence(60_000)]
  expect([here.hasViewers(), there.hasViewers()]).toEqual([false, false])
  using viewer = await here.join()
  expect(viewer.since).toBe(await scene.events.lastId())
  expect(here.hasViewers()).toBe(true)
  await eventually(() => there.hasViewers())
  expect((await scene.openStreamPresence(60_000)).hasViewers()).toBe(true)
})

test('a new viewer waits until all workers know of it, and not for one that does not respond', async () => {
  await using scene = await openScene()
  await scene.startWorker()
  await scene.startWorker()
  const [here, there] = [await scene.openStreamPresence(60_000), await scene.openStreamPresence(60_000)]
  using viewer = await here.join()
  expect([there.hasViewers(), viewer.since]).toEqual([true, 0])
  await scene.startWorker()
  await using silent = await scene.openStreamPresence(60_000)
  using other = await silent.join()
  expect([silent.hasViewers(), other.since]).toEqual([true, 0])
})

test('an uninterrupted watch keeps its start; a new one starts anew', async () => {
  await using scene = await openScene()
  const watch = await scene.openStreamPresence(3000)
  const first = await watch.join()
  await scene.events.append([{ type: 'test.one' }, { type: 'test.two' }])
  first[Symbol.dispose]()
  const second = await watch.join()
  expect(second.since).toBe(first.since)
  second[Symbol.dispose]()
  await eventually(() => !watch.hasViewers())
  using third = await watch.join()
  expect(third.since).toBe(first.since + 2)
  // It is renewed until it is disposed.
  await new Promise((resolve) => setTimeout(resolve, 4500))
  expect(watch.hasViewers()).toBe(true)
})
