import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { StepFailure } from '#engine'
import { settleLostReservations } from '../../src/models/budgets/lost-reservations.ts'
import { patience } from '../support/patience.ts'
import { startProcess } from '../support/process.ts'
import type { BudgetOrder } from './engine-budgets-process.ts'
import { answer, type EngineScene, openEngineScene, type Run } from './engine-setting.ts'
import { openCallAccounting, someCall } from './models-accounting.ts'

const patiently = { timeout: 90_000 * patience, interval: 100 }
const prompt = (id: string, dependencies: readonly string[] = []) => ({
  id,
  type: 'ai_prompt',
  prompt: 'Spend.',
  dependencies,
})

/** Besides the tables of the engine: the real cost of calls. */
async function openMoneyScene(): Promise<EngineScene> {
  const scene = await openEngineScene()
  await scene.database.query('create table budget_calls (execution_id uuid not null, cost bigint not null)')
  return scene
}

async function countOf({ database }: EngineScene, what: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(`select count(*) from ${what}`)
  return row?.count ?? 0
}

async function startSpender({ database }: EngineScene, budgets: BudgetOrder) {
  const spender = await startProcess({
    file: new URL('./engine-budgets-process.ts', import.meta.url),
    env: { DATABASE_URL: database.url, BUDGETS: JSON.stringify(budgets) },
  })
  await spender.waitForLine(/^ready/)
  return spender
}

describe('the budgets of 120 concurrent executions', () => {
  const executions = 120
  const budget = 1000
  const microDollarsPerDay = 36_000
  const order: BudgetOrder = { microDollarsPerDay, maxCall: 400, maxCallMs: 20 }
  /** Its executions stay within their budget, and last longer than the test. */
  const slowOrder: BudgetOrder = { microDollarsPerDay, maxCall: 100, maxCallMs: 600_000 }
  const slowExecutions = 20

  /** From here on PostgreSQL refuses a commit above a limit. */
  async function guard({ database }: EngineScene): Promise<void> {
    await database.query(
      `alter table model_spend_scopes add constraint within check (spent + reserved <= ${microDollarsPerDay})`,
    )
    await database.query(
      `alter table engine_executions add constraint within check (spent + reserved <= ${budget})`,
    )
  }

  test('are not exceeded by a micro-dollar, also when one of three processes is killed', {
    // Three processes start, and two of them run all executions: on a busy machine that took 70 s.
    timeout: 240_000 * patience,
  }, async () => {
    await using scene = await openMoneyScene()
    await guard(scene)
    const steps = Array.from({ length: 8 }, (_, index) => prompt(`s${index}`))
    const what = await scene.save(steps, {
      global_configuration: { cost_controls: { max_total_cost: budget / 1e6 } },
    })
    await using spenders = new AsyncDisposableStack()
    const killed = spenders.use(await startSpender(scene, slowOrder))
    const { engine, worker } = await scene.startProcess()
    await worker.stop()
    const enqueue = (count: number) =>
      Promise.all(Array.from({ length: count }, () => engine.executions.enqueue(what)))
    await enqueue(slowExecutions)
    await killed.waitForLine(/^called/)
    await Promise.all([1, 2].map(async () => spenders.use(await startSpender(scene, order))))
    await enqueue(executions - slowExecutions)
    await vi.waitFor(async () => expect(await countOf(scene, 'budget_calls')).toBeGreaterThan(200), {
      ...patiently,
      interval: 10,
    })
    await killed.kill()
    await vi.waitFor(async () => {
      expect(await countOf(scene, `engine_executions where work_state = 'finished'`)).toBe(executions)
    }, patiently)

    const { database } = scene
    const rows = await database.query<{
      spent: number
      reserved: number
      paid: number
      attempts: number
      code: string | null
      day: boolean
    }>(`
      select execution.spent, execution.reserved, execution.work_attempts as attempts, execution.error ->> 'code' as code,
        execution.error -> 'details' ? 'day' as day,
        coalesce((select sum(cost) from budget_calls where execution_id = execution.id), 0)::bigint as paid
      from engine_executions as execution
    `)
    // The cost of calls never exceeds the recorded spending, and equals it where no worker was lost.
    expect(rows.filter(({ spent, paid }) => paid > spent || spent > budget)).toEqual([])
    expect(rows.filter(({ spent, paid, attempts }) => attempts === 1 && spent !== paid)).toEqual([])
    expect(rows.filter(({ reserved }) => reserved !== 0)).toEqual([])
    // Some were stopped by their own budget, some by the daily budget.
    expect(new Set(rows.filter(({ code }) => code !== null).map(({ code }) => code))).toEqual(
      new Set(['INSUFFICIENT_CREDITS']),
    )
    expect(new Set(rows.flatMap(({ code, day }) => (code === null ? [] : day)))).toEqual(
      new Set([true, false]),
    )
    expect(rows.some(({ attempts }) => attempts > 1)).toBe(true)

    await settleLostReservations(database, new Date(Date.now() + 86_400_000))
    const [day] = await database.query<{ spent: number; reserved: number }>(
      'select spent, reserved from model_spend_scopes',
    )
    const paid = rows.reduce((sum, row) => sum + row.paid, 0)
    expect(day?.reserved).toBe(0)
    expect(day?.spent).toBeGreaterThanOrEqual(paid)
    expect(day?.spent).toBeLessThanOrEqual(microDollarsPerDay)
  })
})

describe.concurrent('an execution over its budget', () => {
  const cost = 300

  /** Three calls of 300 micro-dollars: the budget allows one, the daily budget the given number. */
  async function runOverBudget(autoAbort: boolean, microDollarsPerDay: number) {
    await using scene = await openMoneyScene()
    await using callAccounting = openCallAccounting(scene.database)
    const what = await scene.save([prompt('a'), prompt('b', ['a']), prompt('c', ['b'])], {
      global_configuration: {
        cost_controls: { max_total_cost: 0.0005, auto_abort_on_budget_exceeded: autoAbort },
      },
    })
    const called: string[] = []
    const left: unknown[] = []
    const { engine, worker } = await scene.startProcess({
      accountBudgetOf: async (accountId) => callAccounting.budget.of({ accountId, microDollarsPerDay }),
      async runStep({ step, budget: callBudget }: Run) {
        left.push(callBudget.left?.())
        const reservation = await callBudget.reserve(cost, someCall()).catch((error: unknown) => {
          if (error instanceof StepFailure) throw error
          throw new StepFailure({ code: 'INSUFFICIENT_CREDITS', message: String(error) })
        })
        called.push(step.id)
        await delay(1)
        await callAccounting.usage.record({ settlement: await reservation.settle(cost) })
        const paid = answer('done')
        return { ...paid, usage: { ...paid.usage, microDollars: cost } }
      },
    })
    const { id, end } = await engine.executions.start(what, worker)
    return {
      called,
      left,
      end: await end,
      row: await scene.read(id),
      happened: await scene.happened(id),
      day: await callAccounting.budget.spentToday(what.accountId),
    }
  }

  test('ends before the call that would exceed it', async () => {
    const { called, left, end, row, day, happened } = await runOverBudget(true, 1_000_000)
    expect(called).toEqual(['a'])
    expect(left).toEqual([500, 200])
    expect(end).toMatchObject({ status: 'failed', error: { code: 'INSUFFICIENT_CREDITS', step: 'b' } })
    expect(row).toMatchObject({ spent: 300, reserved: 0 })
    expect(day).toEqual({ spent: 300, reserved: 0 })
    expect(happened).not.toContain('over_budget')
  })

  test('gets one warning and continues, where the flow wants that', async () => {
    const { called, end, row, day, happened } = await runOverBudget(false, 1_000_000)
    expect(called).toEqual(['a', 'b', 'c'])
    expect(end).toMatchObject({ status: 'completed' })
    expect(row).toMatchObject({ spent: 900, reserved: 0 })
    expect(day).toEqual({ spent: 900, reserved: 0 })
    expect(happened.filter((type) => type === 'over_budget')).toHaveLength(1)
  })

  test('cannot continue past the daily budget of its account, whatever the flow says', async () => {
    const { called, end, day } = await runOverBudget(false, 899)
    expect(called).toEqual(['a', 'b'])
    expect(end).toMatchObject({ status: 'failed', error: { code: 'INSUFFICIENT_CREDITS', step: 'c' } })
    expect(day).toEqual({ spent: 600, reserved: 0 })
  })
})

describe('parallel calls that fit one after the other', () => {
  test('wait for reserved money, and the execution completes', async () => {
    await using scene = await openMoneyScene()
    const steps = Array.from({ length: 20 }, (_, index) => prompt(`s${index}`))
    const what = await scene.save(steps, {
      global_configuration: {
        cost_controls: { max_total_cost: 0.001 },
        resource_limits: { max_concurrent_ai_calls: 20 },
      },
    })
    let [running, most] = [0, 0]
    const { engine, worker } = await scene.startProcess({
      // Each could cost 400 of 1,000, and costs 25: at most two at a time, and all twenty within the budget.
      async runStep({ budget, signal }: Run) {
        const reservation = await budget.reserve(400, someCall(), signal)
        running += 1
        most = Math.max(most, running)
        await delay(1)
        running -= 1
        await reservation.settle(25)
        return answer('done')
      },
    })
    const { id, end } = await engine.executions.start(what, worker)
    expect(await end).toMatchObject({ status: 'completed' })
    expect(await scene.read(id)).toMatchObject({ spent: 500, reserved: 0 })
    expect(most).toBe(2)
  })

  test('end with the execution while they wait', async () => {
    await using scene = await openMoneyScene()
    const what = await scene.save([prompt('a'), prompt('b')], {
      global_configuration: { cost_controls: { max_total_cost: 0.001 } },
    })
    const waiting = Promise.withResolvers<void>()
    const { engine, worker } = await scene.startProcess({
      async runStep({ step, budget, signal }: Run) {
        if (step.id === 'b') waiting.resolve()
        await budget.reserve(800, someCall(), signal)
        await delay(60_000, undefined, { signal })
        return answer('never')
      },
    })
    const { id, end } = await engine.executions.start(what, worker)
    await waiting.promise
    expect(await engine.executions.cancel(id, { by: null })).toBe('cancelled')
    expect(await end).toMatchObject({ status: 'cancelled' })
  })
})
