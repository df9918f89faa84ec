import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { Database } from '#kernel/database'
import { createAdmission } from '../../src/engine/store/admission.ts'
import { patience } from '../support/patience.ts'
import { type EngineScene, openEngineScene, type RunStep, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }

/** Steps that end when the test releases them. */
function gate() {
  let running = 0
  let most = 0
  const waiting: (() => void)[] = []
  const runStep: RunStep = async (run) => {
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((resolve) => waiting.push(resolve))
    running -= 1
    return runPlainly(run)
  }
  return {
    runStep,
    running: () => running,
    most: () => most,
    letOneGo: () => waiting.shift()?.(),
  }
}

const step = { id: 'only', type: 'ai_prompt', prompt: 'Say something.' }

describe('concurrent executions of an account', () => {
  test('above the limit queued executions wait, and each end admits one, the urgent first', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([step])
    const { runStep, most, running, letOneGo } = gate()
    const { engine } = await scene.startProcess({
      runStep,
      limitsOf: async () => ({ concurrentWorkflows: 2 }),
    })
    const queue = (priority: 'normal' | 'urgent') => engine.executions.enqueue({ ...what, priority })
    const first = await Promise.all([queue('normal'), queue('normal'), queue('normal'), queue('normal')])
    expect(first.map(({ parked }) => parked)).toEqual([false, false, true, true])
    const urgent = await queue('urgent')
    expect(urgent.parked).toBe(true)
    expect((await engine.executions.read(urgent.id))?.parked).toBe('concurrency')
    await vi.waitFor(() => expect(running()).toBe(2), patiently)
    letOneGo()
    await vi.waitFor(async () => expect((await scene.read(urgent.id)).status).toBe('running'), patiently)
    for (let left = 4; left > 0; left -= 1) {
      await vi.waitFor(() => expect(running()).toBe(Math.min(2, left)), patiently)
      letOneGo()
    }
    for (const { id } of [...first, urgent]) {
      await vi.waitFor(async () => expect((await scene.read(id)).status).toBe('completed'), patiently)
    }
    expect(most()).toBe(2)
  })

  test('an execution without a queue is refused above the limit, and does not delay others', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([step])
    const { runStep, letOneGo, running } = gate()
    const { engine, worker } = await scene.startProcess({
      runStep,
      limitsOf: async () => ({ concurrentWorkflows: 1 }),
    })
    const { end } = await engine.executions.start(what, worker)
    await expect(engine.executions.start(what, worker)).rejects.toMatchObject({ code: 'too_many_executions' })
    const other = await engine.executions.start({ ...what, accountId: randomUUID() }, worker)
    await vi.waitFor(() => expect(running()).toBe(2), patiently)
    letOneGo()
    letOneGo()
    expect((await end).status).toBe('completed')
    expect((await other.end).status).toBe('completed')
    const again = await engine.executions.start(what, worker)
    await vi.waitFor(() => expect(running()).toBe(1), patiently)
    letOneGo()
    expect((await again.end).status).toBe('completed')
  })

  test('the limit is exact when several processes admit concurrently', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([step])
    const limit = { limitsOf: async () => ({ concurrentWorkflows: 7 }) }
    const { runStep, running, most, letOneGo } = gate()
    const processes = await Promise.all([1, 2, 3].map(() => scene.startProcess({ ...limit, runStep })))
    const asked = processes.flatMap(({ engine, worker }) =>
      Array.from({ length: 10 }, () =>
        engine.executions.start(what, worker).then(
          () => true,
          () => false,
        ),
      ),
    )
    const begun = (await Promise.all(asked)).filter(Boolean).length
    expect(begun).toBe(7)
    await vi.waitFor(() => expect(running()).toBe(7), patiently)
    expect(most()).toBe(7)
    for (let left = 7; left > 0; left -= 1) letOneGo()
    await vi.waitFor(() => expect(running()).toBe(0), patiently)
  })

  test('an existing id does not run a second time, and takes no slot', async () => {
    await using scene = await openEngineScene()
    const what = { ...(await scene.save([step])), id: randomUUID() }
    const { runStep, running, letOneGo } = gate()
    const { engine, worker } = await scene.startProcess({
      runStep,
      limitsOf: async () => ({ concurrentWorkflows: 3 }),
    })
    const answers = await Promise.all([engine.executions.enqueue(what), engine.executions.enqueue(what)])
    expect(new Set(answers.map(({ known }) => known))).toEqual(new Set([false, true]))
    expect(await engine.executions.enqueue(what)).toMatchObject({ known: true })
    await expect(engine.executions.start(what, worker)).rejects.toMatchObject({ code: 'execution_exists' })
    expect(await engine.capacity.activeOf(what.accountId)).toBe(1)
    await vi.waitFor(() => expect(running()).toBe(1), patiently)
    letOneGo()
    await vi.waitFor(async () => expect(await engine.capacity.activeOf(what.accountId)).toBe(0), patiently)
  })
})

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Runs a statement and returns the number of execution rows it reads. */
async function countRowsRead({ database }: EngineScene, text: string, values: readonly unknown[]) {
  const [row] = await database.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  )
  const rowsOf = (node: PlanNode): number => {
    const own = node['Relation Name'] === 'engine_executions'
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    return (own ? rows : 0) + (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), 0)
  }
  return rowsOf((row as NonNullable<typeof row>)['QUERY PLAN'][0].Plan)
}

/** Parked executions of one account: they wait for others of it, or for approval. */
async function park({ database }: EngineScene, accountId: string, count: number, approval: string | null) {
  await database.query(
    `
      insert into engine_executions (id, flow_id, flow_version, account_id, input, approval, work_due_at)
      select gen_random_uuid(), 'flow', 1, $1, '{}', $3, 'infinity' from generate_series(1, $2)
    `,
    [accountId, count, approval],
  )
}

describe('admitting parked executions of an account', () => {
  test('a process that ends one admits the next at once, although another process parked it', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([step])
    const limit = { limitsOf: async () => ({ concurrentWorkflows: 1 }) }
    const open = Promise.withResolvers<void>()
    await scene.startProcess({
      ...limit,
      async runStep(run) {
        await open.promise
        return await runPlainly(run)
      },
    })
    const announced = Promise.withResolvers<string>()
    await using _ = await scene.database.listen('engine_waiting', announced.resolve)
    const { engine: gone } = await scene.startProcess({ ...limit, concurrency: 0 })
    const all = await Promise.all(Array.from({ length: 10 }, () => gone.executions.enqueue(what)))
    expect(await announced.promise).toBe(what.accountId)
    // No other process admits them any more.
    await gone[Symbol.asyncDispose]()
    open.resolve()
    for (const { id } of all) {
      await vi.waitFor(async () => expect((await scene.read(id)).status).toBe('completed'), patiently)
    }
  })

  test('the recurring task admits those of a dead process, and those after a raised limit', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([step])
    let most = 0
    const limit = { limitsOf: async () => ({ concurrentWorkflows: most }) }
    const { engine: gone } = await scene.startProcess({ ...limit, concurrency: 0 })
    const { id } = await gone.executions.enqueue(what)
    await gone[Symbol.asyncDispose]()
    const { engine } = await scene.startProcess(limit)
    most = 1
    const task = engine.tasks.find(({ name }) => name === 'engine.promote')
    await task?.run(AbortSignal.timeout(40_000))
    await vi.waitFor(async () => expect((await scene.read(id)).status).toBe('completed'), patiently)
  })

  test('reads a few rows for each account, however many are parked', async () => {
    await using scene = await openEngineScene()
    const { database } = scene
    const full = Array.from({ length: 5 }, () => randomUUID())
    for (const accountId of full) {
      await park(scene, accountId, 500, null)
      await database.query('insert into engine_accounts values ($1, 2, 0)', [accountId])
    }
    await park(scene, randomUUID(), 2000, 'pending')
    let read = 0
    const query: Database['query'] = async (text, values = [], name) => {
      read += await countRowsRead(scene, text, values)
      return await database.query<never>(text, values, name)
    }
    const admission = createAdmission({ database: { ...database, query }, maxOf: async () => 2 })
    await admission.promoteAll()
    expect(read).toBeLessThan(50)
    await database.query('delete from engine_accounts where account_id = $1', [full[0]])
    await admission.promoteAll()
    const [row] = await database.query<{ count: number }>(
      `select count(*) from engine_executions where account_id = $1 and work_due_at < 'infinity'`,
      [full[0]],
    )
    expect(row?.count).toBe(2)
  })
})
