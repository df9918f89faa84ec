import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { createMetrics } from '#kernel/telemetry'
import { createRecurringTasks, createWorker, type RecurringTask, type RecurringTasks } from '#kernel/work'
import { type ChoreScene, openChoreScene, patiently, quiet } from './work-setting.ts'

/** A worker with only these tasks, as in each replica. */
async function startReplica(scene: ChoreScene, tasks: readonly RecurringTask[]): Promise<RecurringTasks> {
  const { database } = scene
  const recurring = createRecurringTasks({ database, log: quiet })
  for (const task of tasks) recurring.add(task)
  const metrics = createMetrics({ watchProcess: false })
  const worker = createWorker({ database, log: quiet, metrics, role: 'worker', queues: [recurring.queue] })
  scene.use({ [Symbol.asyncDispose]: () => worker.stop() })
  await worker.start()
  return recurring
}

describe.concurrent('recurring tasks', () => {
  test('run on one of two replicas at a time', async () => {
    await using scene = await openChoreScene()
    let running = 0
    let most = 0
    const runs: number[] = []
    const task = {
      name: 'water.plants',
      everyMs: 150,
      async run() {
        runs.push(performance.now())
        running += 1
        most = Math.max(most, running)
        await delay(60)
        running -= 1
      },
    }
    await Promise.all([startReplica(scene, [task]), startReplica(scene, [task])])
    await vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(8), patiently)
    expect(most).toBe(1)
    const pauses = runs.slice(1).map((at, index) => at - (runs[index] ?? 0))
    expect(Math.min(...pauses)).toBeGreaterThan(145)
  })

  test('do not catch up on intervals without a runner', async () => {
    await using scene = await openChoreScene()
    await scene.database.query(`
      insert into kernel_tasks (name, interval_ms, work_due_at)
      values ('count.stars', 60000, now() - interval '3 hours')
    `)
    let runs = 0
    const tasks = await startReplica(scene, [
      {
        name: 'count.stars',
        everyMs: 60_000,
        run: async () => {
          runs += 1
        },
      },
    ])
    await vi.waitFor(
      async () => expect((await tasks.list())[0]?.lastFinishedAt).toBeInstanceOf(Date),
      patiently,
    )
    await delay(200)
    expect(runs).toBe(1)
    const [row] = await tasks.list()
    const dueInMs = (row?.dueAt.getTime() ?? 0) - Date.now()
    expect(dueInMs).toBeGreaterThan(50_000)
    expect(dueInMs).toBeLessThan(61_000)
  })

  test('keep the error of a failed run until one succeeds', async () => {
    await using scene = await openChoreScene()
    let runs = 0
    let wasSeen = false
    const tasks = await startReplica(scene, [
      {
        name: 'fetch.mail',
        everyMs: 300,
        run: async () => {
          runs += 1
          if (!wasSeen) throw new Error('no mail today')
        },
      },
    ])
    await vi.waitFor(async () => {
      expect(await tasks.list()).toMatchObject([
        { name: 'fetch.mail', intervalMs: 300, lastError: 'Error: no mail today', running: false },
      ])
    }, patiently)
    wasSeen = true
    await vi.waitFor(async () => expect(await tasks.list()).toMatchObject([{ lastError: null }]), patiently)
    expect(runs).toBeGreaterThanOrEqual(2)
  })

  test('ignore tasks that only another version knows', async () => {
    await using scene = await openChoreScene()
    await scene.database.query(`insert into kernel_tasks (name, interval_ms) values ('from.tomorrow', 1000)`)
    let runs = 0
    const tasks = await startReplica(scene, [
      {
        name: 'from.today',
        everyMs: 50,
        run: async () => {
          runs += 1
        },
      },
    ])
    await vi.waitFor(() => expect(runs).toBeGreaterThan(2), patiently)
    const unknown = (await tasks.list()).find((task) => task.name === 'from.tomorrow')
    expect(unknown).toMatchObject({ lastStartedAt: null, running: false })
  })

  test('go to another replica when theirs stops in the middle', async () => {
    await using scene = await openChoreScene()
    const started: string[] = []
    const reasons: unknown[] = []
    const slowTask = (replica: string): RecurringTask => ({
      name: 'paint.house',
      everyMs: 60_000,
      async run(signal) {
        started.push(replica)
        await delay(60_000, undefined, { signal }).catch(() => reasons.push(signal.reason))
      },
    })
    const recurring = createRecurringTasks({ database: scene.database, log: quiet })
    recurring.add(slowTask('first'))
    const metrics = createMetrics({ watchProcess: false })
    const { database } = scene
    const first = createWorker({ database, log: quiet, metrics, role: 'worker', queues: [recurring.queue] })
    await first.start()
    await vi.waitFor(() => expect(started).toEqual(['first']), patiently)
    await startReplica(scene, [slowTask('second')])
    await first.stop()
    expect(reasons).toMatchObject([{ code: 'shutting_down' }])
    await vi.waitFor(() => expect(started).toEqual(['first', 'second']), patiently)
  })

  test('are refused twice under one name', () => {
    const recurring = createRecurringTasks({ database: Object.create(null), log: quiet })
    const task = { name: 'same.name', everyMs: 1000, run: async () => {} }
    recurring.add(task)
    expect(() => recurring.add(task)).toThrow('two tasks have the name same.name')
  })
})
