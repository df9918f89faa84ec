import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { StepFailure } from '#engine'
import { runWait } from '../../src/engine/steps/wait.ts'
import { patience } from '../support/patience.ts'
import { answer, type EngineScene, openEngineScene, type Run, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }

const say = (id: string, more: object = {}) => ({ id, type: 'ai_prompt', prompt: 'x', ...more })
const repeat = (more: object = {}) => ({
  id: 'loop',
  type: 'repeat_until',
  until: { field: 'steps.draft', operator: '>=', value: 3 },
  max_iterations: 5,
  steps: [say('draft'), say('check', { dependencies: ['draft'] })],
  result: { draft: '{{steps.draft}}', check: '{{steps.check}}' },
  ...more,
})

const withInput = (what: object, context: object = {}) =>
  ({ ...what, input: { context, options: {}, memory: {} } }) as never

/** Prompts answer with the number of their iteration, from 1; `check` with what it sees of the iteration before. */
function createSteps() {
  const ran: string[] = []
  const broken = new Set<string>()
  const held = new Set<string>()
  async function runStep(run: Run): ReturnType<typeof runPlainly> {
    const { step, path, scope, signal } = run
    if (step.type === 'wait') return await runWait({ ...run, step })
    if (step.type !== 'ai_prompt') return await runPlainly(run)
    ran.push(path)
    if (held.has(path)) await delay(60_000, undefined, { signal })
    if (broken.has(path)) throw new StepFailure({ code: 'EXTERNAL_API_FAILED', message: 'No.' })
    return answer(
      step.id === 'check' ? (scope.memory['previous'] ?? null) : Number(scope.memory['index'] ?? 0) + 1,
    )
  }
  return { ran, broken, held, runStep }
}

const untilIs = (scene: EngineScene, id: string, status: string) =>
  vi.waitFor(async () => expect((await scene.read(id)).status).toBe(status), patiently)

describe.concurrent('repeat_until', () => {
  test('runs its steps until the condition is true; each iteration reads the result of the one before', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine, worker } = await scene.startProcess({ runStep: steps.runStep })
    const what = await scene.save([repeat(), say('after', { dependencies: ['loop'] })])
    const { id, end } = await engine.executions.start(withInput(what), worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    expect(steps.ran).toEqual([
      ...[0, 1, 2].flatMap((index) => [`loop/${index}/draft`, `loop/${index}/check`]),
      'after',
    ])
    const rows = await scene.steps(id)
    expect(rows['loop']).toMatchObject({
      state: 'completed',
      output: {
        result: { draft: 3, check: { draft: 2, check: { draft: 1, check: null } } },
        iterations: 3,
        met: true,
      },
      details: { nested: { total: 5, completed: 3, failed: 0 } },
    })
    const record = await engine.executions.read(id)
    expect(
      record?.facts?.steps.map(({ id: step, type, count }) => `${step} ${type} ${count}`).sort(),
    ).toEqual([
      'after ai_prompt 1',
      'loop repeat_until 1',
      'loop/$until conditional 3',
      'loop/check ai_prompt 3',
      'loop/draft ai_prompt 3',
    ])
  })

  test('fails when the bound is reached, or continues with the last result', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine, worker } = await scene.startProcess({ runStep: steps.runStep })
    const strict = await scene.save([repeat({ max_iterations: 2 })])
    const failed = await engine.executions.start(withInput(strict), worker)
    expect(await failed.end).toMatchObject({
      status: 'failed',
      error: {
        code: 'LOOP_EXHAUSTED',
        message:
          'The condition was not true after 2 iterations: steps.draft >= 3. Raise max_iterations, or set on_exhausted to continue.',
        step: 'loop',
        details: { iterations: 2, max_iterations: 2 },
      },
    })
    const lenient = await scene.save([repeat({ max_iterations: 2, on_exhausted: 'continue' })])
    const continued = await engine.executions.start(withInput(lenient), worker)
    expect(await continued.end).toEqual({ status: 'completed', error: null })
    expect((await scene.steps(continued.id))['loop']?.output).toMatchObject({ iterations: 2, met: false })
    const handled = await scene.save([
      repeat({ max_iterations: 1, on_error: 'after' }),
      say('after', { dependencies: ['loop'] }),
    ])
    const caught = await engine.executions.start(withInput(handled), worker)
    expect(await caught.end).toEqual({ status: 'completed', error: null })
    expect(await scene.steps(caught.id)).toMatchObject({
      loop: { state: 'failed', error: { code: 'LOOP_EXHAUSTED' } },
      after: { state: 'completed' },
    })
  })

  test('conditions and results can use functions, which are evaluated in a thread', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine, worker } = await scene.startProcess({ runStep: steps.runStep })
    const what = await scene.save([
      repeat({
        until: { expression: 'size([steps.draft, index].filter(n, n > 1)) == 2' },
        result: { sum: '{{= [steps.draft, 10].sum() }}' },
      }),
      {
        id: 'each',
        type: 'for_each',
        items: 'rows',
        result: {
          joined: '{{= [item, "x"].join("-") }}',
          absent: '{{= [nothing].sum() }}',
          index: '{{index}}',
        },
        steps: [say('one')],
      },
    ])
    const { id, end } = await engine.executions.start(withInput(what, { rows: ['a', 'b'] }), worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    const rows = await scene.steps(id)
    expect(rows['loop']?.output).toEqual({ result: { sum: 13 }, iterations: 3, met: true })
    expect(rows['each']?.output).toMatchObject({
      results: [
        { joined: 'a-x', absent: null, index: 0 },
        { joined: 'b-x', absent: null, index: 1 },
      ],
    })
  })

  test('an expression of its result that fails makes it fail', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep: createSteps().runStep })
    const what = await scene.save([repeat({ result: '{{= ["a"].sum() }}' })])
    const { end } = await engine.executions.start(withInput(what), worker)
    expect(await end).toMatchObject({ status: 'failed', error: { code: 'EXPRESSION_FAILED', step: 'loop' } })
  })

  test('a long pause between iterations suspends the execution', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const what = await scene.save([repeat({ delay: '1h' })])
    const { id } = await engine.executions.enqueue(withInput(what))
    for (const index of [1, 2]) {
      await vi.waitFor(
        async () =>
          expect((await engine.executions.read(id))?.waits).toMatchObject([
            { stepId: `loop/${index}/$delay`, kind: 'timer' },
          ]),
        patiently,
      )
      await vi.waitFor(
        async () => expect((await engine.executions.read(id))?.suspended).not.toBe(null),
        patiently,
      )
      expect(steps.ran).toHaveLength(index * 2)
      await scene.database.query(
        `update engine_waits set wake_at = now() where execution_id = $1 and state = 'open'`,
        [id],
      )
    }
    await untilIs(scene, id, 'completed')
    expect((await scene.steps(id))['loop']?.output).toMatchObject({ iterations: 3, met: true })
  })

  test('resumes at the iteration after its worker stopped; no finished step runs again', async () => {
    await using scene = await openEngineScene()
    const first = createSteps()
    const stopped = await scene.startProcess({ runStep: first.runStep })
    const what = await scene.save([repeat()])
    first.held.add('loop/2/check')
    const { id } = await stopped.engine.executions.enqueue(withInput(what))
    await vi.waitFor(() => expect(first.ran).toContain('loop/2/check'), patiently)
    await stopped.worker.stop()
    const second = createSteps()
    await scene.startProcess({ runStep: second.runStep })
    await untilIs(scene, id, 'completed')
    expect(second.ran).toEqual(['loop/2/check'])
    expect((await scene.steps(id))['loop']?.output).toMatchObject({
      result: { draft: 3, check: { draft: 2, check: { draft: 1 } } },
      iterations: 3,
    })
  })

  test('is recovered at the failed iteration', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const what = await scene.save([repeat()])
    steps.broken.add('loop/1/check')
    const { id } = await engine.executions.enqueue(withInput(what))
    await untilIs(scene, id, 'failed')
    expect((await scene.read(id)).error).toMatchObject({
      code: 'EXTERNAL_API_FAILED',
      message: 'Iteration 2 of at most 5 failed: No.',
      details: { index: 1, failed_step: 'loop/1/check' },
    })
    steps.broken.clear()
    steps.ran.length = 0
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by: null })
    await untilIs(scene, id, 'completed')
    expect(steps.ran).toEqual(['loop/1/check', 'loop/2/draft', 'loop/2/check'])
  })

  test('a fork from a step of an iteration runs the later iterations again', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const what = await scene.save([repeat({ delay: '1ms' }), say('after', { dependencies: ['loop'] })])
    const { id } = await engine.executions.enqueue(withInput(what))
    await untilIs(scene, id, 'completed')
    steps.ran.length = 0
    const fork = await engine.control.fork(id, {
      id: randomUUID(),
      accountId: randomUUID(),
      fromStep: 'loop/1/check',
    })
    await untilIs(scene, fork.id, 'completed')
    expect(steps.ran).toEqual(['loop/1/check', 'loop/2/draft', 'loop/2/check', 'after'])
    expect((await scene.steps(fork.id))['loop']?.output).toEqual((await scene.steps(id))['loop']?.output)
  })

  test('keeps only the last result in memory', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({
      runStep: async (run) =>
        run.step.type === 'ai_prompt' ? answer('x'.repeat(700_000)) : await runPlainly(run),
    })
    const what = await scene.save([
      repeat({
        max_iterations: 10,
        on_exhausted: 'continue',
        until: { field: 'steps.draft', operator: '==', value: 'y' },
        steps: [say('draft')],
        result: '{{steps.draft}}',
      }),
    ])
    const limited = {
      ...(withInput(what) as object),
      input: { context: {}, memory: {}, options: { resource_limits: { max_memory: '4MB' } } },
    }
    const { id, end } = await engine.executions.start(limited as never, worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    expect((await scene.steps(id))['loop']?.output).toMatchObject({ iterations: 10, met: false })
  })
})
