import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  apiFailed,
  countedOf,
  createFaultySteps,
  eventsOf,
  prompt,
  providerFailed,
  untilIs,
} from './engine-control-setting.ts'
import { openEngineScene } from './engine-setting.ts'

const by = randomUUID()

const choice = (operator: string, next_step: string) => ({
  field: 'content',
  operator,
  value: 'A',
  action: { type: 'continue', next_step },
})

describe('recovering an execution', () => {
  test('a repeated request changes nothing, also when the execution has failed again since', async () => {
    await using scene = await openEngineScene()
    const steps = createFaultySteps()
    steps.break('a', apiFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(await scene.save([prompt('a')]))
    await untilIs(scene, id, 'failed')
    const recovery = { action: 'restart_from_checkpoint', by, requestId: randomUUID() } as const
    await engine.control.recover(id, recovery)
    await untilIs(scene, id, 'failed')
    // Its process crashed before the response: the caller sends the request again.
    await engine.control.recover(id, recovery)
    expect(await scene.read(id)).toMatchObject({ status: 'failed' })
    expect(steps.ran).toEqual(['a', 'a'])

    steps.mend('a')
    await engine.control.recover(id, { ...recovery, requestId: randomUUID() })
    await untilIs(scene, id, 'completed')
    await engine.control.recover(id, recovery)
    expect(await scene.read(id)).toMatchObject({ status: 'completed' })
  })

  test('restart_from_checkpoint runs failed steps again, and no finished one', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([
      prompt('a', [], { output_to_memory: 'text' }),
      prompt('b', ['a']),
      prompt('c', ['b']),
    ])
    const steps = createFaultySteps()
    steps.break('b', apiFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    steps.mend('b')
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by })
    await untilIs(scene, id, 'completed')
    expect(steps.ran).toEqual(['a', 'b', 'b', 'c'])
    expect(await scene.steps(id)).toMatchObject({
      a: { state: 'completed' },
      b: { state: 'completed' },
      c: { state: 'completed' },
    })
    expect(await scene.read(id)).toMatchObject({ error: null })
    const events = await eventsOf(engine, id)
    expect(events.map(({ type }) => type)).toEqual([
      'execution_started',
      'step_started',
      'step_completed',
      'step_started',
      'step_failed',
      'execution_failed',
      'execution_recovered',
      'step_started',
      'step_completed',
      'step_started',
      'step_completed',
      'execution_completed',
    ])
    expect(events[6]?.data).toMatchObject({
      action: 'restart_from_checkpoint',
      by,
      failed_steps: ['b'],
      error: { code: 'EXTERNAL_API_FAILED' },
    })
  })

  test('retry_with_different_provider never calls the failed provider again', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('only')])
    const steps = createFaultySteps()
    steps.break('only', providerFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    steps.break('only', { ...providerFailed, provider: 'anthropic' })
    await engine.control.recover(id, { action: 'retry_with_different_provider', by })
    await untilIs(scene, id, 'failed')
    steps.mend('only')
    await engine.control.recover(id, { action: 'retry_with_different_provider', by })
    await untilIs(scene, id, 'completed')
    expect(steps.runs.map(({ avoidedProviders }) => [...avoidedProviders])).toEqual([
      [],
      ['openai'],
      ['openai', 'anthropic'],
    ])
    expect(steps.runs.map(({ rules }) => rules.mayFallBack)).toEqual([false, true, true])
    expect((await engine.executions.read(id))?.input.options).toEqual({})
  })

  test('continue_without_failed_step continues, and reports the steps that need it', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([
      { id: 'gate', type: 'conditional', conditions: [choice('contains', 'one'), choice('==', 'other')] },
      prompt('one'),
      prompt('other'),
      prompt('after', ['gate']),
    ])
    const steps = createFaultySteps()
    steps.break('gate', { code: 'INVALID_STEP', message: 'It cannot.' })
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    await engine.control.recover(id, { action: 'continue_without_failed_step', by })
    await untilIs(scene, id, 'completed')
    expect(steps.ran).toEqual(['gate', 'after'])
    expect(await scene.steps(id)).toMatchObject({
      gate: { state: 'failed' },
      one: { state: 'skipped' },
      other: { state: 'skipped' },
      after: { state: 'completed' },
    })
    const events = await eventsOf(engine, id)
    expect(events.find(({ type }) => type === 'execution_recovered')?.data).toMatchObject({
      failed_steps: ['gate'],
      skipped_steps: ['one', 'other'],
    })
  })

  test('restarts its timeout', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('slow')], {
      global_configuration: { resource_limits: { max_execution_time: '1m' } },
    })
    let isSlow = true
    const { engine } = await scene.startProcess({
      runStep: async (run) => {
        if (isSlow) await new Promise((_, reject) => run.signal.addEventListener('abort', reject))
        return await createFaultySteps().runStep(run)
      },
    })
    const { id } = await engine.executions.enqueue({ ...what, needsApproval: true })
    // As if it had started an hour ago, and its worker had died.
    await scene.database.query(
      `update engine_executions set started_at = now() - interval '1 hour' where id = $1`,
      [id],
    )
    await engine.control.decide(id, { decision: 'approved', by })
    await untilIs(scene, id, 'failed')
    expect(await scene.read(id)).toMatchObject({ error: { code: 'EXECUTION_TIMEOUT' } })
    await expect(
      engine.control.recover(id, { action: 'continue_without_failed_step', by }),
    ).rejects.toMatchObject({ code: 'recovery_not_possible' })
    isSlow = false
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by })
    await untilIs(scene, id, 'completed')
  })

  test('restarts every failed item of a batch', async () => {
    await using scene = await openEngineScene()
    const { input, ...what } = await scene.save([prompt('a'), prompt('b', ['a'])])
    const steps = createFaultySteps()
    steps.break('b', apiFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const batch = { items: ['x', 'y'], size: 2, parallel: true }
    const { id } = await engine.executions.enqueue({ ...what, input: { ...input, batch } })
    await untilIs(scene, id, 'failed')
    steps.mend('b')
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by })
    await untilIs(scene, id, 'completed')
    expect(steps.ran.filter((step) => step === 'a')).toHaveLength(2)
    expect(steps.ran.filter((step) => step === 'b')).toHaveLength(4)
  })

  test.each([
    ['before its end was added to the history', false],
    ['after its end was added to the history', true],
  ])('counts its end once, %s', async (_name, isRolled) => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('only')])
    const steps = createFaultySteps()
    steps.break('only', apiFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    if (isRolled) {
      expect(await countedOf(scene, engine, what.flowId)).toMatchObject({ executions: 1, failed: 1 })
    }
    steps.mend('only')
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by })
    await untilIs(scene, id, 'completed')
    expect(await countedOf(scene, engine, what.flowId)).toEqual({
      executions: 1,
      completed: 1,
      failed: 0,
      cancelled: 0,
    })
  })

  test('a flow without statistics is not subtracted', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('only')], {
      global_configuration: { monitoring: { track_performance_metrics: false } },
    })
    const steps = createFaultySteps()
    steps.break('only', apiFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    steps.mend('only')
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by })
    await untilIs(scene, id, 'completed')
    expect(await countedOf(scene, engine, what.flowId)).toMatchObject({ executions: null })
  })

  test('waits for capacity like any other', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('only')])
    const holding = await scene.save([prompt('held')])
    const steps = createFaultySteps()
    steps.break('only', apiFailed)
    const begun = Promise.withResolvers<void>()
    const open = Promise.withResolvers<void>()
    const { engine } = await scene.startProcess({
      limitsOf: async () => ({ concurrentWorkflows: 1 }),
      runStep: async (run) => {
        if (run.step.id === 'held') {
          begun.resolve()
          await open.promise
        }
        return await steps.runStep(run)
      },
    })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    const other = await engine.executions.enqueue({ ...holding, accountId: what.accountId })
    await begun.promise
    steps.mend('only')
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by })
    expect(await engine.executions.read(id)).toMatchObject({ status: 'queued', parked: 'concurrency' })
    open.resolve()
    await untilIs(scene, other.id, 'completed')
    await untilIs(scene, id, 'completed')
  })

  test('runs once for many concurrent requests', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('only')])
    const steps = createFaultySteps()
    steps.break('only', apiFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    steps.mend('only')
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, () => engine.control.recover(id, { action: 'restart_from_checkpoint', by })),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const it of asked) {
      if (it.status === 'rejected') expect(it.reason).toMatchObject({ code: 'execution_not_failed' })
    }
    await untilIs(scene, id, 'completed')
    expect(steps.ran).toEqual(['only', 'only'])
    const events = await eventsOf(engine, id)
    expect(events.filter(({ type }) => type === 'execution_recovered')).toHaveLength(1)
  })

  test('is refused for an execution that did not fail, and where it would not help', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('only')])
    const steps = createFaultySteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const recover = (id: string, action: 'restart_from_checkpoint' | 'retry_with_different_provider') =>
      engine.control.recover(id, { action, by })
    await expect(recover(randomUUID(), 'restart_from_checkpoint')).rejects.toMatchObject({
      code: 'execution_not_found',
    })
    const { id: good } = await engine.executions.enqueue(what)
    await untilIs(scene, good, 'completed')
    await expect(recover(good, 'restart_from_checkpoint')).rejects.toMatchObject({
      code: 'execution_not_failed',
      details: { status: 'completed' },
    })
    steps.break('only', apiFailed)
    const { id: bad } = await engine.executions.enqueue(what)
    await untilIs(scene, bad, 'failed')
    await expect(recover(bad, 'retry_with_different_provider')).rejects.toMatchObject({
      code: 'recovery_not_possible',
    })
    expect(await scene.read(bad)).toMatchObject({ status: 'failed', error: { code: 'EXTERNAL_API_FAILED' } })
  })
})
