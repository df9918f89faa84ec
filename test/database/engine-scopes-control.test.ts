import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { StepFailure } from '#engine'
import { patience } from '../support/patience.ts'
import { untilIs } from './engine-control-setting.ts'
import { answer, openEngineScene, type Run } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }
const say = (id: string, dependencies: string[] = [], more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt: 'x',
  dependencies,
  ...more,
})
const loop = (steps: object[], more: object = {}) => ({
  id: 'each',
  type: 'for_each',
  items: 'rows',
  concurrency: 1,
  steps,
  ...more,
})
const twoSteps = [say('one'), say('two', ['one'])]
const withRows = (what: object, rows: unknown[]) =>
  ({ ...what, input: { context: { rows }, options: {}, memory: {} } }) as never

/** Steps that record their paths, and fail at the broken ones. */
function createPathSteps() {
  const ran: string[] = []
  const broken = new Set<string>()
  const runStep = async (run: Run) => {
    ran.push(run.path)
    if (broken.has(run.path)) throw new StepFailure({ code: 'EXTERNAL_API_FAILED', message: 'No.' })
    return answer([run.path, run.scope.context['note']].join(' '))
  }
  return { ran, broken, runStep }
}

describe.concurrent('a container', () => {
  test('is recovered at the failed item; finished items stay', async () => {
    await using scene = await openEngineScene()
    const steps = createPathSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const what = await scene.save([loop(twoSteps), say('after', ['each'])])
    steps.broken.add('each/1/two')
    const { id } = await engine.executions.enqueue(withRows(what, ['a', 'b', 'c']))
    await untilIs(scene, id, 'failed')
    steps.broken.clear()
    steps.ran.length = 0
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by: null })
    await untilIs(scene, id, 'completed')
    expect(steps.ran).toEqual(['each/1/two', 'each/2/one', 'each/2/two', 'after'])
    expect((await scene.steps(id))['each']?.output).toMatchObject({ succeeded: 3, failed: 0 })
    const events = (await engine.executions.read(id))?.events ?? []
    expect(events.find(({ type }) => type === 'execution_recovered')?.data['failed_steps']).toEqual([
      'each/1/two',
      'each',
    ])
  })

  test('is passed over as a whole by continue_without_failed_step', async () => {
    await using scene = await openEngineScene()
    const steps = createPathSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const what = await scene.save([loop(twoSteps), say('after', ['each'])])
    steps.broken.add('each/0/one')
    const { id } = await engine.executions.enqueue(withRows(what, ['a', 'b']))
    await untilIs(scene, id, 'failed')
    await engine.control.recover(id, { action: 'continue_without_failed_step', by: null })
    await untilIs(scene, id, 'completed')
    expect(steps.ran).toEqual(['each/0/one', 'after'])
  })

  test('keeps collected failures when another step is recovered', async () => {
    await using scene = await openEngineScene()
    const steps = createPathSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const what = await scene.save([loop(twoSteps, { on_item_error: 'collect' }), say('after', ['each'])])
    for (const path of ['each/0/one', 'after']) steps.broken.add(path)
    const { id } = await engine.executions.enqueue(withRows(what, ['a', 'b']))
    await untilIs(scene, id, 'failed')
    steps.broken.clear()
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by: null })
    await untilIs(scene, id, 'completed')
    expect(steps.ran).toEqual(['each/0/one', 'each/1/one', 'each/1/two', 'after', 'after'])
    expect(await scene.steps(id)).toMatchObject({ 'each/0/one': { state: 'failed' } })
  })

  test('is forked from a step of one item; the other items are reused', async () => {
    await using scene = await openEngineScene()
    const steps = createPathSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const what = await scene.save([
      say('first'),
      loop(twoSteps, { dependencies: ['first'] }),
      say('after', ['each']),
    ])
    const { id } = await engine.executions.enqueue(withRows(what, ['a', 'b', 'c']))
    await untilIs(scene, id, 'completed')
    steps.ran.length = 0
    const fork = await engine.control.fork(id, {
      id: randomUUID(),
      accountId: randomUUID(),
      fromStep: 'each/1/two',
      context: { note: 'again' },
    })
    await untilIs(scene, fork.id, 'completed')
    expect(steps.ran).toEqual(['each/1/two', 'after'])
    expect((await scene.steps(fork.id))['each']?.output).toMatchObject({
      results: ['each/0/two ', 'each/1/two again', 'each/2/two '],
    })
    await expect(
      engine.control.fork(id, { id: randomUUID(), accountId: randomUUID(), fromStep: 'each/9/two' }),
    ).rejects.toMatchObject({ code: 'unknown_step' })
    await expect(
      engine.control.fork(id, { id: randomUUID(), accountId: randomUUID(), fromStep: 'each/1/after' }),
    ).rejects.toMatchObject({ code: 'unknown_step' })
  })

  test('a fork from the container, or from a step before it, runs all items again', async () => {
    await using scene = await openEngineScene()
    const steps = createPathSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const what = await scene.save([say('first'), loop([say('one')], { dependencies: ['first'] })])
    const { id } = await engine.executions.enqueue(withRows(what, ['a', 'b']))
    await untilIs(scene, id, 'completed')
    for (const [fromStep, again] of [
      ['each', ['each/0/one', 'each/1/one']],
      ['first', ['first', 'each/0/one', 'each/1/one']],
    ] as const) {
      steps.ran.length = 0
      const fork = await engine.control.fork(id, { id: randomUUID(), accountId: randomUUID(), fromStep })
      await untilIs(scene, fork.id, 'completed')
      expect(steps.ran).toEqual(again)
    }
  })

  test('stops its steps when the execution is cancelled', async () => {
    await using scene = await openEngineScene()
    const stopped: string[] = []
    const started: string[] = []
    const { engine } = await scene.startProcess({
      async runStep({ path, signal }) {
        started.push(path)
        await delay(60_000, undefined, { signal }).catch(() => stopped.push(path))
        signal.throwIfAborted()
        return answer(null)
      },
    })
    const what = await scene.save([loop([say('one')], { concurrency: 2 })])
    const { id } = await engine.executions.enqueue(withRows(what, ['a', 'b', 'c']))
    await vi.waitFor(() => expect(started).toHaveLength(2), patiently)
    await engine.executions.cancel(id, { by: null, reason: null })
    await untilIs(scene, id, 'cancelled')
    expect(stopped.sort()).toEqual(['each/0/one', 'each/1/one'])
  })

  test('an item that exceeds its budget fails, and the others go on', async () => {
    await using scene = await openEngineScene()
    const paidFor = {
      callId: 'c',
      source: 'engine',
      provider: 'openai',
      model: 'm',
      requestedModel: 'm',
      priceSource: 'table',
      priceVersion: null,
      attempts: 1,
    }
    const { engine } = await scene.startProcess({
      async runStep({ scope, budget }) {
        const cost = Number(scope.memory['item'])
        await (await budget.reserve(cost, paidFor)).settle(cost)
        const paid = answer(cost)
        return { ...paid, usage: { ...paid.usage, microDollars: cost } }
      },
    })
    const what = await scene.save([
      loop(twoSteps, { item_budget: 0.0001, on_item_error: 'collect', concurrency: 2 }),
    ])
    const { id } = await engine.executions.enqueue(withRows(what, [40, 60, 101]))
    await untilIs(scene, id, 'completed')
    const steps = await scene.steps(id)
    expect(steps['each']).toMatchObject({
      output: {
        results: [40, null, null],
        errors: [
          { index: 1, code: 'INSUFFICIENT_CREDITS' },
          { index: 2, code: 'INSUFFICIENT_CREDITS' },
        ],
      },
      spent: 140,
    })
    expect(await scene.read(id)).toMatchObject({ spent: 140, reserved: 0 })
  })

  test('results that exceed the memory of the execution end it', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess({ runStep: async () => answer('x'.repeat(300_000)) })
    const limit = { global_configuration: { resource_limits: { max_memory_usage: '1MB' } } }
    const kept = await scene.save([loop([say('one')])], limit)
    const { id } = await engine.executions.enqueue(withRows(kept, [1, 2, 3, 4, 5]))
    await untilIs(scene, id, 'failed')
    expect(await scene.read(id)).toMatchObject({ error: { code: 'MEMORY_LIMIT_EXCEEDED' } })
    const dropped = await scene.save([loop([say('one')], { keep_results: false })], limit)
    const other = await engine.executions.enqueue(withRows(dropped, [1, 2, 3, 4, 5]))
    await untilIs(scene, other.id, 'completed')
    expect((await scene.steps(other.id))['each']?.output).toEqual({
      results: [],
      errors: [],
      succeeded: 5,
      failed: 0,
    })
  })
})
