import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { patience } from '../support/patience.ts'
import { answer, type Budget, openEngineScene, type Run, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }
const prompt = (id: string, dependencies: string[] = [], more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt: `output of ${id}`,
  dependencies,
  ...more,
})

/** Waits until a run is aborted. */
const untilStopped = async ({ signal }: Run): Promise<never> => {
  await delay(60_000, undefined, { signal })
  throw new Error('it was not stopped')
}

describe.concurrent('an execution', () => {
  test('runs its steps in order, stores their outputs, and publishes events', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([
      prompt('first', [], { output_to_memory: 'text' }),
      {
        id: 'gate',
        type: 'conditional',
        dependencies: ['first'],
        conditions: [
          {
            field: 'text',
            operator: 'contains',
            value: 'first',
            action: { type: 'jump_to_step', target_step: 'end' },
          },
        ],
      },
      prompt('between', ['gate']),
      {
        id: 'end',
        type: 'data_transform',
        dependencies: ['between'],
        transformations: [{ operation: 'merge', sources: ['text'] }],
      },
    ])
    const { engine, worker } = await scene.startProcess()
    const { id, end } = await engine.executions.start(what, worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    expect(await scene.read(id)).toMatchObject({ status: 'completed', work_state: 'finished', error: null })
    expect(await scene.steps(id)).toMatchObject({
      first: { state: 'completed', output: 'output of first', attempts: 1 },
      gate: { state: 'completed' },
      between: { state: 'skipped' },
      end: { state: 'completed', output: { text: 'output of first' } },
    })
    expect(await scene.happened(id)).toEqual([
      'execution_started',
      'step_started',
      'step_completed',
      'step_started',
      'step_completed',
      'step_skipped',
      'step_started',
      'step_completed',
      'execution_completed',
    ])
  })

  test('waits in the queue for a worker', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('only')])
    const { engine } = await scene.startProcess()
    const { id } = await engine.executions.enqueue(what)
    await vi.waitFor(async () => expect((await scene.read(id)).status).toBe('completed'), patiently)
  })

  test('resumes in another process when its worker stops, and no finished step runs again', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('a'), prompt('b', ['a']), prompt('c', ['b'])])
    const ran: string[] = []
    const reached = Promise.withResolvers<void>()
    const first = await scene.startProcess({
      async runStep(run) {
        ran.push(run.step.id)
        if (run.step.id !== 'b') return runPlainly(run)
        reached.resolve()
        return await untilStopped(run)
      },
    })
    const { id, end } = await first.engine.executions.start(what, first.worker)
    await reached.promise
    await scene.startProcess({
      async runStep(run) {
        ran.push(`${run.step.id} again`)
        return await runPlainly(run)
      },
    })
    await first.worker.stop()
    await expect(end).rejects.toMatchObject({ code: 'shutting_down' })
    await vi.waitFor(async () => expect((await scene.read(id)).status).toBe('completed'), patiently)
    expect(ran).toEqual(['a', 'b', 'b again', 'c again'])
    expect(Object.keys(await scene.steps(id))).toEqual(['a', 'b', 'c'])
  })

  test('ends with the step that fails, and stops the others', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([
      {
        id: 'wrong',
        type: 'data_transform',
        transformations: [{ operation: 'calculate_metrics', fields: ['x'], sources: ['content'] }],
      },
      prompt('slow'),
      prompt('after', ['wrong']),
    ])
    let stopped = false
    const { engine, worker } = await scene.startProcess({
      async runStep(run) {
        if (run.step.id === 'slow') return await untilStopped(run).finally(() => (stopped = true))
        return await runPlainly(run)
      },
    })
    const { id, end } = await engine.executions.start(what, worker)
    expect(await end).toMatchObject({ status: 'failed', error: { code: 'INVALID_STEP', step: 'wrong' } })
    expect(stopped).toBe(true)
    expect(await scene.read(id)).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_STEP', step: 'wrong' },
    })
  })

  test.each([
    ['continue', { error_handling: { on_failure: 'continue' } }, 'failed', null],
    [
      'fallback',
      { error_handling: { on_failure: 'fallback', fallback_message: 'Nothing.' } },
      'completed',
      'Nothing.',
    ],
  ])('continues after a failure with on_failure %s', async (_name, more, state, output) => {
    await using scene = await openEngineScene()
    const wrong = {
      id: 'wrong',
      type: 'data_transform',
      transformations: [{ operation: 'calculate_metrics' }],
      ...more,
    }
    const what = await scene.save([wrong, prompt('after', ['wrong'])])
    const { engine, worker } = await scene.startProcess()
    const { id, end } = await engine.executions.start(what, worker)
    expect(await end).toMatchObject({ status: 'completed' })
    expect(await scene.steps(id)).toMatchObject({ wrong: { state, output }, after: { state: 'completed' } })
  })

  test('ends at its timeout, and running steps are stopped', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('slow')], {
      global_configuration: { resource_limits: { max_execution_time: '300ms' } },
    })
    const { engine, worker } = await scene.startProcess({ runStep: untilStopped })
    const { end } = await engine.executions.start(what, worker)
    expect(await end).toMatchObject({ status: 'failed', error: { code: 'EXECUTION_TIMEOUT' } })
  })

  test('has memory up to its limit, and fails clearly above it', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('large')], {
      global_configuration: { resource_limits: { max_memory_usage: '10KB' } },
    })
    const { engine, worker } = await scene.startProcess({ runStep: async () => answer('x'.repeat(20_000)) })
    const { end } = await engine.executions.start(what, worker)
    expect(await end).toMatchObject({
      status: 'failed',
      error: { code: 'MEMORY_LIMIT_EXCEEDED', step: 'large' },
    })
  })
})

describe.concurrent('the budget of an execution', () => {
  const about = {
    callId: 'c',
    source: 'engine',
    provider: 'openai',
    model: 'm',
    requestedModel: 'm',
    priceSource: 'table',
    priceVersion: null,
    attempts: 1,
  }
  /** Every step reserves 400 micro-dollars and spends 300. */
  const spend = async ({ budget }: Run) => {
    const reservation = await budget.reserve(400, about)
    await delay(5)
    await reservation.settle(300)
    const paid = answer('done')
    return { ...paid, usage: { ...paid.usage, microDollars: 300 } }
  }

  test('is never exceeded by concurrent calls', async () => {
    await using scene = await openEngineScene()
    const steps = Array.from({ length: 20 }, (_, index) => prompt(`s${index}`))
    const what = await scene.save(steps, {
      global_configuration: {
        cost_controls: { max_total_cost: 0.001 },
        resource_limits: { max_concurrent_ai_calls: 20 },
      },
    })
    const taken: number[] = []
    const account: Budget = {
      async reserve(amount) {
        taken.push(amount)
        return { settle: async () => undefined }
      },
    }
    const { engine, worker } = await scene.startProcess({
      runStep: spend,
      accountBudgetOf: async () => account,
    })
    const { id, end } = await engine.executions.start(what, worker)
    expect(await end).toMatchObject({ status: 'failed', error: { code: 'INSUFFICIENT_CREDITS' } })
    // Two at once; a third fits when both have settled; a fourth could cost more than is left.
    expect(taken).toEqual([400, 400, 400])
    expect(await scene.read(id)).toMatchObject({ spent: 900, reserved: 0 })
  })

  test('only warns when the flow says so', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('a'), prompt('b', ['a']), prompt('c', ['b'])], {
      global_configuration: {
        cost_controls: {
          max_total_cost: 0.0005,
          cost_alerts: [0.0006, 0.0001],
          auto_abort_on_budget_exceeded: false,
        },
      },
    })
    const { engine, worker } = await scene.startProcess({ runStep: spend })
    const { id, end } = await engine.executions.start(what, worker)
    expect(await end).toMatchObject({ status: 'completed' })
    const happened = await scene.happened(id)
    expect(happened.filter((type) => type === 'over_budget')).toHaveLength(1)
    expect(happened.filter((type) => type === 'cost_alert')).toHaveLength(2)
    expect(await scene.read(id)).toMatchObject({ spent: 900, reserved: 0 })
  })

  test('counts the reservation of a lost worker as spent', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('a'), prompt('b', ['a'])], {
      global_configuration: { cost_controls: { max_total_cost: 0.001 } },
    })
    const reached = Promise.withResolvers<void>()
    const first = await scene.startProcess({
      async runStep(run) {
        if (run.step.id === 'a') return await spend(run)
        await run.budget.reserve(400, about)
        reached.resolve()
        return await untilStopped(run)
      },
    })
    const { id } = await first.engine.executions.start(what, first.worker)
    await reached.promise
    await vi.waitFor(
      async () => expect(await scene.read(id)).toMatchObject({ spent: 300, reserved: 400 }),
      patiently,
    )
    await scene.startProcess({ runStep: spend })
    await first.worker.stop()
    await vi.waitFor(async () => expect((await scene.read(id)).work_state).toBe('finished'), patiently)
    expect(await scene.read(id)).toMatchObject({
      status: 'failed',
      spent: 700,
      error: { code: 'INSUFFICIENT_CREDITS' },
    })
  })
})
