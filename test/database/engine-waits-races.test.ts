import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '#engine'
import { createCommitWriter } from '../../src/engine/store/commit-writer.ts'
import { closeDueWaits, closeWaits } from '../../src/engine/waits/close-waits.ts'
import { eventually } from '../support/eventually.ts'
import { prompt } from './engine-control-setting.ts'
import { type EngineScene, openEngineScene } from './engine-setting.ts'

let scene: EngineScene
let engine: Engine

beforeAll(async () => {
  scene = await openEngineScene()
  const process = await scene.startProcess()
  engine = process.engine
  // The test is the worker.
  await process.worker.stop()
})

afterAll(() => scene[Symbol.asyncDispose]())

/** An execution that a worker has leased, with one open wait. */
interface Waiting {
  readonly id: string
  readonly waitId: string
  readonly workerId: string
  readonly accountId: string
}

async function lease({ flowId, accountId }: Awaited<ReturnType<EngineScene['save']>>): Promise<Waiting> {
  const { database } = scene
  const [id, waitId, workerId] = [randomUUID(), randomUUID(), randomUUID()]
  await database.query(
    `
      insert into engine_executions (id, flow_id, flow_version, account_id, status, input, started_at, work_state, work_worker, work_fence)
      values ($1, $2, 1, $3, 'running', '{"context": {}, "options": {}, "memory": {}}', now(), 'running', $4, 1)
    `,
    [id, flowId, accountId, workerId],
  )
  await database.query('insert into engine_accounts (account_id, admitted, granted) values ($1, 1, 1)', [
    accountId,
  ])
  await database.query(
    `
      insert into engine_waits (id, execution_id, item, step_id, number, account_id, kind, wake_at, request, created_at)
      values ($1, $2, 0, 'rest', 1, $3, 'human', now() + interval '1 day', '{}', now())
    `,
    [waitId, id, accountId],
  )
  return { id, waitId, workerId, accountId }
}

/** The transactions that may meet. Each returns whether it closed the wait. */
const participants = {
  async suspend({ id, workerId }: Waiting) {
    await using commits = createCommitWriter(scene.database, { store: async (_, output) => output })
    await commits.write({
      executionId: id,
      workerId,
      fence: 1,
      begins: false,
      startedAt: new Date(),
      isBatch: false,
      hasSubscribers: false,
      steps: [],
      events: [],
      spent: 0,
      reserved: 0,
      suspension: { wakes: 0, at: new Date() },
    })
    return false
  },
  answer: async ({ waitId }: Waiting) => await answerAs('first', waitId),
  answerAgain: async ({ waitId }: Waiting) => await answerAs('second', waitId),
  async timeOut({ waitId, id }: Waiting) {
    await scene.database.query('update engine_waits set wake_at = now() where id = $1', [waitId])
    const closed = await closeDueWaits(scene.database)
    return closed.some(({ executionId }) => executionId === id)
  },
  async cancel({ id }: Waiting) {
    await engine.executions.cancel(id, { by: null, waitMs: 0 })
    return false
  },
} as const

type Name = keyof typeof participants

async function answerAs(who: string, waitId: string): Promise<boolean> {
  const closed = await closeWaits(scene.database, [waitId], {
    state: 'answered',
    answer: '{}',
    answeredBy: who,
  })
  return closed.some(({ state }) => state === 'answered')
}

interface Found {
  readonly work_state: string
  readonly status: string
  readonly wakes: number
  readonly cancel: object | null
  readonly has_slot: boolean
  readonly state: string
  readonly active: number
}

async function read(id: string): Promise<Found> {
  const [row] = await scene.database.query<Found>(
    `
      select execution.work_state, execution.status, execution.wakes, execution.cancel, wait.state,
        execution.work_state = 'running' or (execution.work_state = 'queued' and execution.work_due_at < 'infinity') as has_slot,
        (known.admitted - (
          select coalesce(sum(ends.ended), 0) from engine_account_ends as ends where ends.account_id = execution.account_id
        ))::integer as active
      from engine_executions as execution
      join engine_waits as wait on wait.execution_id = execution.id
      join engine_accounts as known on known.account_id = execution.account_id
      where execution.id = $1
    `,
    [id],
  )
  if (row === undefined) throw new Error('no such execution')
  return row
}

function permutations(names: readonly Name[], length: number): Name[][] {
  if (length === 0) return [[]]
  return names.flatMap((name) =>
    permutations(
      names.filter((other) => other !== name),
      length - 1,
    ).map((rest) => [name, ...rest]),
  )
}

const names = Object.keys(participants) as Name[]
const orders = [
  ...permutations(names, 2),
  ...permutations(names, 3).filter((order) => order.includes('suspend')),
]

/** Waits until a statement has ended, or waits for a lock. */
async function untilBlocked(running: Promise<unknown>, blockedBefore: number): Promise<void> {
  let isOver = false
  void running.finally(() => (isOver = true))
  await eventually(async () => isOver || (await countBlocked()) > blockedBefore, 2)
}

async function countBlocked(): Promise<number> {
  const [row] = await scene.database.query<{ count: number }>(
    `
      select count(*)::integer as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()
    `,
  )
  return row?.count ?? 0
}

/** All begin while another transaction has locked the row, in this order: each has read an old version of it. */
async function runTogether(order: readonly Name[], waiting: Waiting): Promise<boolean[]> {
  const started: Promise<boolean>[] = []
  await scene.database.withSession(async (session) => {
    await session.query('begin')
    await session.query(`select from engine_executions where id = '${waiting.id}' for update`)
    for (const name of order) {
      const blocked = await countBlocked()
      const running = participants[name](waiting)
      started.push(running)
      await untilBlocked(running, blocked)
    }
    await session.query('commit')
  })
  return await Promise.all(started)
}

async function runInTurn(order: readonly Name[], waiting: Waiting): Promise<boolean[]> {
  const closed: boolean[] = []
  for (const name of order) closed.push(await participants[name](waiting))
  return closed
}

test.each([
  ['one after the other', runInTurn],
  ['at the same time', runTogether],
] as const)('no order of commits, answers, timers and cancels loses a wake-up, %s', async (_, run) => {
  const what = await scene.save([{ id: 'rest', type: 'wait', duration: '1d' }, prompt('after', ['rest'])])
  for (const order of orders) {
    const waiting = await lease({ ...what, accountId: randomUUID() })
    const closed = await run(order, waiting)
    const found = await read(waiting.id)
    const context = { order, closed, found }
    // The first that closes the wait wins.
    expect(closed.filter(Boolean).length, JSON.stringify(context)).toBeLessThanOrEqual(1)
    const isClosed = found.state === 'answered' || found.state === 'timed_out'
    expect(found.wakes, JSON.stringify(context)).toBe(isClosed ? 1 : 0)
    // An execution is suspended only with an open wait, and never when it is to be cancelled.
    if (found.work_state === 'suspended')
      expect(context).toMatchObject({ found: { state: 'open', cancel: null } })
    if (isClosed && !order.includes('cancel')) expect(['running', 'queued']).toContain(found.work_state)
    if (order.includes('cancel')) expect(['running', 'finished']).toContain(found.work_state)
    // Slots are released as often as they are taken.
    expect(found.active, JSON.stringify(context)).toBe(found.has_slot ? 1 : 0)
  }
})

test('the orders lead to every state', async () => {
  const what = await scene.save([{ id: 'rest', type: 'wait', duration: '1d' }])
  const states: string[] = []
  for (const order of [
    ['suspend'],
    ['answer', 'suspend'],
    ['suspend', 'answer'],
    ['suspend', 'cancel'],
  ] as const) {
    const waiting = await lease({ ...what, accountId: randomUUID() })
    await runInTurn(order, waiting)
    states.push((await read(waiting.id)).work_state)
  }
  expect(states).toEqual(['suspended', 'running', 'queued', 'finished'])
})
