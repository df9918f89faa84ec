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
    openStreamPresence: async (keepMs: number, maxWaitMs = 30_000) =>
      opened.use(
        await openStreamPresence({
          database,
          events,
          log: quiet,
          workers: createWorkerDirectory(database),
          works: true,
          keepMs,
          renewMs: 50,
          maxWaitMs,
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
  // One of four workers does not respond.
  await scene.startWorker()
  await scene.startWorker()
  await using silent = await scene.openStreamPresence(60_000, 100)
  using other = await silent.join()
  expect([silent.hasViewers(), other.since]).toEqual([true, 0])
})

test('an uninterrupted watch keeps its start', async () => {
  await using scene = await openScene()
  const watch = await scene.openStreamPresence(60_000)
  const first = await watch.join()
  await scene.events.append([{ type: 'test.one' }, { type: 'test.two' }])
  first[Symbol.dispose]()
  using second = await watch.join()
  expect(second.since).toBe(first.since)
})

test('a watch after an interruption starts anew, and is renewed until it is disposed', async () => {
  await using scene = await openScene()
  const keepMs = 500
  const watch = await scene.openStreamPresence(keepMs)
  const first = await watch.join()
  await scene.events.append([{ type: 'test.one' }, { type: 'test.two' }])
  first[Symbol.dispose]()
  await eventually(() => !watch.hasViewers())
  using second = await watch.join()
  expect(second.since).toBe(first.since + 2)
  const untilMs = async () => {
    const [row] = await scene.database.query<{ until: Date }>('select until from orchestra_watchers')
    return row?.until.getTime() ?? 0
  }
  const before = await untilMs()
  await eventually(async () => (await untilMs()) > before + keepMs && watch.hasViewers())
})
