import { expect, test, vi } from 'vitest'
import { patience } from '../support/patience.ts'
import { openEngineScene, type RunStep, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }
const step = { id: 'only', type: 'ai_prompt', prompt: 'Say something.' }

test('an execution cancelled during admission takes no slot', async () => {
  await using scene = await openEngineScene()
  const what = await scene.save([step])
  const ends: (() => void)[] = []
  const runStep: RunStep = async (run) => {
    await new Promise<void>((resolve) => {
      ends.push(resolve)
      run.signal.addEventListener('abort', () => resolve())
    })
    run.signal.throwIfAborted()
    return runPlainly(run)
  }
  const { engine } = await scene.startProcess({ runStep, limitsOf: async () => ({ concurrentWorkflows: 2 }) })
  for (let round = 0; round < 4; round += 1) {
    const all = await Promise.all(Array.from({ length: 10 }, () => engine.executions.enqueue(what)))
    await Promise.all(
      all.map(({ id }, index) => engine.executions.cancel(id, { by: null, force: index % 2 === 0 })),
    )
    for (const { id } of all)
      await vi.waitFor(async () => expect((await scene.read(id)).status).toBe('cancelled'), patiently)
  }
  const accountId = (what as { accountId: string }).accountId
  await vi.waitFor(async () => expect(await engine.capacity.activeOf(accountId)).toBe(0), patiently)
})

test('a process without the flow cancels more executions at once than it has connections', async () => {
  await using scene = await openEngineScene()
  const what = await scene.save([step])
  const { engine } = await scene.startProcess({ concurrency: 0 })
  const all = await Promise.all(Array.from({ length: 30 }, () => engine.executions.enqueue(what)))
  // Opens all connections, so that all are in use at the same moment.
  await Promise.all(Array.from({ length: 30 }, () => scene.database.query('select pg_sleep(0.05)')))
  const outcomes = await Promise.all(all.map(({ id }) => engine.executions.cancel(id, { by: null })))
  expect(new Set(outcomes)).toEqual(new Set(['cancelled']))
})
