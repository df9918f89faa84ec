import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { runWait } from '../../src/engine/steps/wait.ts'
import { patience } from '../support/patience.ts'
import { prompt } from './engine-control-setting.ts'
import { openEngineScene, type RunStep, runPlainly } from './engine-setting.ts'

/** The executions that count for a limit, by key. The most that any reader of the database can see at once. */
const openStatement = `
  select concurrency_key as key, count(*)::integer as count from engine_executions
  where concurrency_key is not null and work_state in ('queued', 'running') group by concurrency_key
`

test('with two replicas, random starts, waits, cancels and ends never exceed a limit, and all executions end', async () => {
  await using scene = await openEngineScene()
  const [limit, executions] = [2, 36]
  const what = await scene.save(
    [
      prompt('first'),
      { id: 'rest', type: 'wait', duration: '1d', dependencies: ['first'] },
      prompt('last', ['rest']),
    ],
    { global_configuration: { flow_control: { concurrency: { limit, key: 'context.customer' } } } },
  )
  /** Steps that run, by customer. Counted outside of the engine. */
  const running = new Map<string, number>()
  let most = 0
  const runStep: RunStep = async (run) => {
    if (run.step.type === 'wait') return await runWait({ ...run, step: run.step })
    const customer = String(run.scope.context['customer'])
    const count = (running.get(customer) ?? 0) + 1
    running.set(customer, count)
    most = Math.max(most, count)
    await setTimeout(randomInt(1, 20))
    running.set(customer, (running.get(customer) ?? 0) - 1)
    return await runPlainly(run)
  }
  const replicas = [await scene.startProcess({ runStep }), await scene.startProcess({ runStep })]
  const replica = () => {
    const chosen = replicas[randomInt(2)]
    if (chosen === undefined) throw new Error('no replica')
    return chosen.engine
  }

  const over = new AbortController()
  let maxStored = 0
  async function observe(): Promise<void> {
    while (!over.signal.aborted) {
      for (const { count } of await scene.database.query<{ key: string; count: number }>(openStatement))
        maxStored = Math.max(maxStored, count)
      await setTimeout(2)
    }
  }
  const observer = observe()

  const ids: string[] = []
  const accounts = [randomUUID(), randomUUID(), randomUUID()]
  await Promise.all(
    Array.from({ length: executions }, async (_, index) => {
      const input = { ...what.input, context: { customer: `customer ${index % 3}` } }
      const accountId = accounts[randomInt(3)] ?? what.accountId
      const { id } = await replica().executions.enqueue({ ...what, accountId, input })
      ids.push(id)
      if (index % 7 === 0) await replica().executions.cancel(id, { by: null })
    }),
  )
  const haveAllEnded = async () => {
    // Wakes some of those that are suspended by now, again and again.
    await scene.database.query(`
      update engine_waits set wake_at = now() where state = 'open' and id in (
        select id from engine_waits where state = 'open' order by random() limit 10
      )
    `)
    const [row] = await scene.database.query<{ open: number }>(
      `select count(*)::integer as open from engine_executions where work_state <> 'finished'`,
    )
    return row?.open === 0
  }
  // On a busy machine all of them together took half a minute.
  await vi.waitUntil(haveAllEnded, { timeout: 90_000 * patience, interval: 50 })
  over.abort()
  await observer
  expect(most).toBe(limit)
  expect(maxStored).toBeLessThanOrEqual(limit)
  const rows = await scene.database.query<{ status: string; count: number }>(
    'select status, count(*)::integer as count from engine_executions group by status',
  )
  const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
  expect(Object.keys(counts).toSorted()).toEqual(['cancelled', 'completed'])
  expect(counts['cancelled']).toBeLessThanOrEqual(6)
  expect((counts['completed'] ?? 0) + (counts['cancelled'] ?? 0)).toBe(executions)
})
