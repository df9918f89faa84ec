import { describe, expect, test, vi } from 'vitest'
import { patience } from '../support/patience.ts'
import { openEngineScene, type RunStep, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }
const step = { id: 'only', type: 'ai_prompt', prompt: 'Say something.' }

/** A step that runs until it is stopped, and reports that. */
function endless() {
  const begun = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const runStep: RunStep = async (run) => {
    const reservation = await run.budget.reserve(500, {
      callId: 'c',
      source: 'test',
      provider: 'p',
      model: 'm',
      requestedModel: 'm',
      priceSource: 'table',
      priceVersion: null,
      attempts: 1,
    })
    begun.resolve()
    return await new Promise((_, reject) => {
      run.signal.addEventListener('abort', () => {
        stopped.resolve()
        void reservation.settle(120).then(() => reject(run.signal.reason as Error))
      })
    })
  }
  return { runStep, begun: begun.promise, stopped: stopped.promise }
}

describe('cancelling an execution', () => {
  test('stops running steps, settles their cost, and stores the reason', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([step])
    const { runStep, begun, stopped } = endless()
    const { engine, worker } = await scene.startProcess({ runStep })
    const { id, end } = await engine.executions.start(what, worker)
    await begun
    expect(await engine.executions.cancel(id, { by: null, reason: 'changed my mind' })).toBe('cancelled')
    await stopped
    expect(await end).toEqual({ status: 'cancelled', error: null })
    expect(await scene.read(id)).toMatchObject({ status: 'cancelled', spent: 120, reserved: 0 })
    const record = await engine.executions.read(id)
    expect(record?.events.at(-1)).toMatchObject({
      type: 'execution_cancelled',
      data: { reason: 'changed my mind', total_cost: 0.00012 },
    })
    expect(record?.facts).toMatchObject({ status: 'cancelled', spent: 120 })
    expect(await engine.executions.cancel(id, { by: null })).toBe('over')
  })

  test('reaches it in another process', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([step])
    const { runStep, begun } = endless()
    const there = await scene.startProcess({ runStep })
    const here = await scene.startProcess({ concurrency: 1 })
    const { id } = await there.engine.executions.start(what, there.worker)
    await begun
    expect(await here.engine.executions.cancel(id, { by: null })).toBe('cancelled')
  })

  test('ends a queued one before any step ran', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([step])
    const { engine } = await scene.startProcess({ limitsOf: async () => ({ concurrentWorkflows: 0 }) })
    const { id } = await engine.executions.enqueue(what)
    expect(await engine.executions.cancel(id, { by: null, reason: 'not needed' })).toBe('cancelled')
    const record = await engine.executions.read(id)
    expect(record).toMatchObject({
      status: 'cancelled',
      startedAt: null,
      facts: { queued_ms: null, steps: [] },
    })
    expect(record?.events.map(({ type }) => type)).toEqual(['execution_cancelled'])
  })

  test('by force ends it although its worker does not respond', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([step])
    const begun = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const { engine, worker } = await scene.startProcess({
      async runStep(run) {
        begun.resolve()
        await release.promise
        return runPlainly(run)
      },
    })
    const { id, end } = await engine.executions.start(what, worker)
    end.catch(() => {})
    await begun.promise
    expect(await engine.executions.cancel(id, { by: null, waitMs: 50 })).toBe('cancelling')
    expect(await engine.executions.cancel(id, { by: null, force: true, waitMs: 50 })).toBe('cancelled')
    release.resolve()
    await expect(end).rejects.toMatchObject({ code: 'fenced' })
    expect((await scene.read(id)).status).toBe('cancelled')
    expect(await scene.steps(id)).toEqual({})
  })

  test('reports an unknown id', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess()
    expect(await engine.executions.cancel(crypto.randomUUID(), { by: null })).toBeUndefined()
  })

  test('whose worker died is completed by the worker that takes it over', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([step])
    const { runStep, begun } = endless()
    const first = await scene.startProcess({ runStep })
    const { id, end } = await first.engine.executions.start(what, first.worker)
    end.catch(() => {})
    await begun
    await scene.database.query('update engine_executions set cancel = $2 where id = $1', [
      id,
      JSON.stringify({ by: null, reason: 'late', at: new Date().toISOString() }),
    ])
    await first.worker.stop({ graceMs: 0 })
    await scene.startProcess()
    await vi.waitFor(async () => expect((await scene.read(id)).status).toBe('cancelled'), patiently)
    expect(await scene.steps(id)).toEqual({})
  })
})
