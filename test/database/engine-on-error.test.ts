import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { StepFailure } from '#engine'
import { patience } from '../support/patience.ts'
import { answer, openEngineScene, type Run, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }
const prompt = (id: string, dependencies: string[] = [], more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt: `output of ${id}`,
  dependencies,
  ...more,
})
const steps = [prompt('call', [], { on_error: 'handle' }), prompt('use', ['call']), prompt('handle')]

const failWith = (code: StepFailure['code']) => async (run: Run) => {
  if (run.step.id !== 'call') return await runPlainly(run)
  throw new StepFailure({ code, message: 'It would not.', details: { status: 418 } })
}

describe.concurrent('a step with on_error', () => {
  test('that fails continues with its handler; the execution is completed', async () => {
    await using scene = await openEngineScene()
    const seen: unknown[] = []
    const { engine, worker } = await scene.startProcess({
      async runStep(run) {
        if (run.step.id === 'handle') seen.push(run.scope.context['errors'])
        return await failWith('VALIDATION_FAILED')(run)
      },
    })
    const { id, end } = await engine.executions.start(await scene.save(steps), worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    expect(await scene.steps(id)).toMatchObject({
      call: {
        state: 'failed',
        choice: { kind: 'jump', target: 'handle' },
        error: { code: 'VALIDATION_FAILED' },
      },
      use: { state: 'skipped' },
      handle: { state: 'completed' },
    })
    expect(seen).toEqual([{ call: { code: 'VALIDATION_FAILED', message: 'It would not.', status: 418 } }])
  })

  test('that exceeds a limit of the execution still ends it', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep: failWith('INSUFFICIENT_CREDITS') })
    const { id, end } = await engine.executions.start(await scene.save(steps), worker)
    expect(await end).toMatchObject({ status: 'failed', error: { code: 'INSUFFICIENT_CREDITS' } })
    expect(await scene.steps(id)).not.toHaveProperty('handle')
  })

  test('the error is readable after another worker resumed the execution', async () => {
    await using scene = await openEngineScene()
    const first = await scene.startProcess({
      async runStep(run) {
        if (run.step.id !== 'handle') return await failWith('EXTERNAL_API_FAILED')(run)
        await delay(60_000, undefined, { signal: run.signal })
        return answer(null)
      },
    })
    const { id } = await first.engine.executions.enqueue(await scene.save(steps))
    await vi.waitFor(async () => expect(await scene.happened(id)).toContain('step_skipped'), patiently)
    await first.worker.stop()
    await scene.startProcess({ runStep: async ({ scope }) => answer(scope.context['errors']) })
    await vi.waitFor(async () => expect((await scene.read(id)).status).toBe('completed'), patiently)
    expect((await scene.steps(id))['handle']?.output).toEqual({
      call: { code: 'EXTERNAL_API_FAILED', message: 'It would not.', status: 418 },
    })
  })
})
