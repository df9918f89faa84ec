import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { openEngineScene, type RunStep, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 15_000, interval: 20 }

/** Steps that end when they are told to. */
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

describe('executions of an account at once', () => {
  test('beyond the limit those of the queue wait, and each end lets one in, the urgent first', async () => {
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

  test('one that is to begin at once is refused beyond the limit, and others are not held up', async () => {
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

  test('holds exactly when several processes let in at the same time', async () => {
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

  test('an id that is there already is not run a second time, and takes no place with it', async () => {
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
