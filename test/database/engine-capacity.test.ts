import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createExecutionGauge } from '#engine'
import type { Database } from '#kernel/database'
import { createCapacity, queuedOfAccountStatement } from '../../src/engine/capacity.ts'
import { eventually } from '../support/eventually.ts'
import { type EngineScene, openEngineScene, runPlainly } from './engine-setting.ts'

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
      Array.from({ length: times }, () => capacity.requireQueueCapacity(randomUUID())),
    )
    return tries.filter(({ status }) => status === 'fulfilled').length
  }
  expect([await tryAll(10), counts]).toEqual([3, 1])
  nowMs = 999
  expect([await tryAll(5), counts]).toEqual([0, 1])
  // None of them was enqueued.
  nowMs = 1000
  expect([await tryAll(5), counts]).toEqual([3, 2])
  await expect(capacity.requireQueueCapacity(randomUUID())).rejects.toMatchObject({
    code: 'queue_full',
    status: 503,
    details: { limit: 3 },
    retryAfterSeconds: expect.any(Number),
  })
})

/** A queue with a limit, and accounts that fill it. No worker takes anything from it. */
async function openQueue(scene: EngineScene, queueLimit: number) {
  const { database } = scene
  const statements: (string | undefined)[] = []
  let nowMs = 0
  const capacity = createCapacity({
    database: {
      query(text, values, name) {
        statements.push(name)
        return database.query(text, values, name)
      },
    },
    queueLimit,
    now: () => nowMs,
  })
  return {
    capacity,
    statements,
    passSecond: () => void (nowMs += 1000),
    /** Adds executions until one is refused, at most `wanted`. Returns how many were added. */
    async fill(accountId: string, { wanted = Number.POSITIVE_INFINITY, due = 'now()' } = {}) {
      for (let added = 0; added < wanted; added += 1) {
        const hasCapacity = await capacity.requireQueueCapacity(accountId).then(
          () => true,
          () => false,
        )
        if (!hasCapacity) return added
        await addQueued(database, accountId, due)
      }
      return wanted
    },
  }
}

async function addQueued(database: Pick<Database, 'query'>, accountId: string, due = 'now()'): Promise<void> {
  await database.query(
    `
      insert into engine_executions (id, flow_id, flow_version, account_id, input, work_due_at)
      values (gen_random_uuid(), 'flow', 1, $1, '{}', ${due})
    `,
    [accountId],
  )
}

test('one account fills at most four fifths of the queue, and the others find capacity', async () => {
  await using scene = await openEngineScene()
  const queue = await openQueue(scene, 50)
  const [greedy, modest] = [randomUUID(), randomUUID()]
  expect(await queue.fill(greedy)).toBe(40)
  queue.passSecond()
  expect([await queue.fill(greedy), await queue.fill(modest)]).toEqual([0, 8])
  await expect(queue.capacity.requireQueueCapacity(greedy)).rejects.toMatchObject({
    code: 'queue_full',
    status: 503,
    retryable: true,
    message: expect.stringContaining('This account has 40 queued executions and may have 8'),
    details: { limit: 50, account_queued: 40, account_limit: 8 },
    retryAfterSeconds: expect.any(Number),
  })
  expect(await queue.fill(randomUUID())).toBe(2)
  await expect(queue.capacity.requireQueueCapacity(randomUUID())).rejects.toMatchObject({
    details: { limit: 50 },
  })
})

test('executions that are parked or due later count for the share of their account, too', async () => {
  await using scene = await openEngineScene()
  const queue = await openQueue(scene, 20)
  const greedy = randomUUID()
  expect(await queue.fill(greedy, { wanted: 5, due: `'infinity'` })).toBe(5)
  expect(await queue.fill(greedy, { wanted: 5, due: `now() + interval '1 day'` })).toBe(5)
  queue.passSecond()
  expect(await queue.fill(greedy)).toBe(6)
  await scene.database.query(
    `update engine_executions set work_state = 'suspended' where work_due_at = 'infinity'`,
  )
  expect(await queue.fill(greedy)).toBe(0)
  queue.passSecond()
  expect(await queue.fill(greedy)).toBe(5)
})

test('executions that were woken together keep no other account from starting', async () => {
  await using scene = await openEngineScene()
  const queue = await openQueue(scene, 10)
  const account = randomUUID()
  for (let woken = 0; woken < 20; woken += 1) await addQueued(scene.database, account)
  await scene.database.query('update engine_executions set started_at = now()')
  expect(await queue.fill(account)).toBe(8)
  expect(await queue.fill(randomUUID())).toBe(2)
})

test.each([1, 2, 4])('an account alone fills a queue of %i', async (limit) => {
  await using scene = await openEngineScene()
  const queue = await openQueue(scene, limit)
  expect(await queue.fill(randomUUID())).toBe(limit)
})

test('executions of an account are counted at most once a second, and only in a long queue', async () => {
  await using scene = await openEngineScene()
  const queue = await openQueue(scene, 20)
  const greedy = randomUUID()
  await queue.fill(greedy, { wanted: 16 })
  expect(queue.statements).toEqual(['engine_queue_size'])
  expect([await queue.fill(greedy), await queue.fill(greedy)]).toEqual([0, 0])
  expect(queue.statements).toEqual(['engine_queue_size', 'engine_queue_of_account'])
  queue.passSecond()
  expect([await queue.fill(greedy), await queue.fill(greedy)]).toEqual([0, 0])
  expect(queue.statements).toHaveLength(4)
})

test('the statement for an account reads its queued executions only', async () => {
  await using scene = await openEngineScene()
  const { database } = scene
  const accountId = randomUUID()
  await database.query(
    `
      insert into engine_executions (id, flow_id, flow_version, account_id, input, work_state, finished_at, status)
      select gen_random_uuid(), 'flow', 1, $1, '{}', 'finished', now(), 'completed' from generate_series(1, 5000)
    `,
    [accountId],
  )
  await addQueued(database, accountId)
  await addQueued(database, accountId, `'infinity'`)
  await database.query('analyze engine_executions')
  const plan = await database.query<{ 'QUERY PLAN': string }>(`explain ${queuedOfAccountStatement}`, [
    100,
    accountId,
  ])
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).toMatch(/engine_executions_due_by_account/)
  expect(text).toMatch(/engine_executions_(parked|waiting)/)
  expect(text).not.toMatch(/Seq Scan/)
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
