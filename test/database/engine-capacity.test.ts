import { expect, test } from 'vitest'
import { createExecutionGauge } from '#engine'
import type { Database } from '#kernel/database'
import { createCapacity } from '../../src/engine/activity.ts'
import { eventually } from '../support/eventually.ts'
import { openEngineScene, runPlainly } from './engine-setting.ts'

test('the queue is counted at most once a second, and rows added in between count too', async () => {
  await using scene = await openEngineScene()
  const { database } = scene
  let [counts, nowMs] = [0, 0]
  const capacity = createCapacity({
    database: {
      query(statement, values, name) {
        counts += 1
        return database.query(statement, values, name)
      },
    },
    queueLimit: 3,
    now: () => nowMs,
  })
  const tryAll = async (times: number) => {
    const tries = await Promise.allSettled(
      Array.from({ length: times }, () => capacity.requireQueueCapacity()),
    )
    return tries.filter(({ status }) => status === 'fulfilled').length
  }
  expect([await tryAll(10), counts]).toEqual([3, 1])
  nowMs = 999
  expect([await tryAll(5), counts]).toEqual([0, 1])
  // None of them was enqueued.
  nowMs = 1000
  expect([await tryAll(5), counts]).toEqual([3, 2])
  await expect(capacity.requireQueueCapacity()).rejects.toMatchObject({
    code: 'queue_full',
    status: 503,
    details: { limit: 3 },
    retryAfterSeconds: expect.any(Number),
  })
})

test('the limit of an account counts running executions: not parked, not finished ones', async () => {
  await using scene = await openEngineScene()
  const what = await scene.save([{ id: 'a', type: 'ai_prompt', prompt: 'Hi' }])
  const gate = Promise.withResolvers<void>()
  const { engine } = await scene.startProcess({
    limitsOf: async () => ({ concurrentWorkflows: 2 }),
    runStep: async (run) => {
      await gate.promise
      return await runPlainly(run)
    },
  })
  const active = () => engine.capacity.activeOf(what.accountId)
  expect(await active()).toBe(0)
  const started = []
  for (const expected of [1, 2, 2]) {
    started.push(await engine.executions.enqueue(what))
    expect(await active()).toBe(expected)
  }
  expect(started.map(({ parked }) => parked)).toEqual([false, false, true])
  gate.resolve()
  for (const { id } of started) await eventually(async () => (await scene.read(id)).work_state === 'finished')
  expect(await active()).toBe(0)
})

test('a long queue is counted less often for the metrics, a short one each time', async () => {
  await using scene = await openEngineScene()
  const { database } = scene
  let counts = 0
  const query: Database['query'] = async (text, values, name) => {
    if (text.includes(`work_state = 'queued'`)) counts += 1
    return await database.query<never>(text, values, name)
  }
  let now = 0
  const gauge = createExecutionGauge({
    database: { query },
    workers: { list: async () => [] },
    executionConcurrency: 10,
    now: () => now,
  })
  for (; now < 3000; now += 1000) expect(await gauge()).toMatchObject({ queued_executions: 0 })
  expect(counts).toBe(3)
  await database.query(`
    insert into engine_executions (id, flow_id, flow_version, account_id, input)
    select gen_random_uuid(), 'flow', 1, gen_random_uuid(), '{}' from generate_series(1, 20000)
  `)
  for (; now < 8000; now += 1000) expect(await gauge()).toMatchObject({ queued_executions: 20_000 })
  expect(counts).toBe(6)
})
