import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  apiFailed,
  countedOf,
  createFaultySteps,
  eventsOf,
  prompt,
  untilIs,
} from './engine-control-setting.ts'
import { answer, openEngineScene, type RunStep } from './engine-setting.ts'

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

/** Returns its visible values: the context, and the memory. */
const sayWhatIsSeen: RunStep = async ({ step, scope, budget }) => {
  const reservation = await budget.reserve(50, about)
  await reservation.settle(40)
  const paid = answer(`${step.id}: ${String(scope.context['content'])} ${JSON.stringify(scope.memory)}`)
  return {
    ...paid,
    usage: { ...paid.usage, provider: 'openai', model: 'm', inputTokens: 7, microDollars: 40 },
  }
}

const chain = [
  prompt('a', [], { output_to_memory: 'first' }),
  prompt('b', ['a'], { output_to_memory: 'second' }),
  prompt('c', ['b']),
]

describe('forking an execution', () => {
  test('runs from the step on, with the earlier outputs and with other input', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const steps = createFaultySteps()
    const { engine } = await scene.startProcess({
      runStep: async (run) => {
        steps.ran.push(run.step.id)
        return await sayWhatIsSeen(run)
      },
    })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    const accountId = randomUUID()
    const forked = await engine.control.fork(id, {
      accountId,
      fromStep: 'b',
      context: { content: 'Another text.' },
      memory: { extra: 1 },
      options: { max_execution_time: '1m' },
    })
    await untilIs(scene, forked.id, 'completed')
    expect(steps.ran).toEqual(['a', 'b', 'c', 'b', 'c'])
    const record = await engine.executions.read(forked.id)
    expect(record).toMatchObject({
      accountId,
      flowVersion: 1,
      forkedFrom: id,
      forkedAtStep: 'b',
      spent: 80,
      input: { context: { content: 'Another text.' }, options: { max_execution_time: '1m' } },
    })
    expect(record?.outcomes.map(({ stepId, spent, output }) => [stepId, spent, output])).toEqual([
      ['a', 0, 'a: A text. {}'],
      ['b', 40, 'b: Another text. {"extra":1,"first":"a: A text. {}"}'],
      ['c', 40, expect.stringContaining('c: Another text.')],
    ])
    expect(record?.outcomes[0]?.details).toMatchObject({ reused_from: id })
    const events = await eventsOf(engine, forked.id)
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
      'execution_forked',
      'execution_started',
      'step_started',
    ])
    expect(events[0]?.data).toMatchObject({
      forked_from: id,
      from_step: 'b',
      reused_steps: ['a'],
      edited: ['context', 'memory', 'options'],
    })
    expect(await scene.read(id)).toMatchObject({ status: 'completed', spent: 120 })
  })

  test('keeps an edited memory, although a reused step wrote it', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const { engine } = await scene.startProcess({ runStep: sayWhatIsSeen })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    const fork = { accountId: what.accountId, fromStep: 'c', memory: { second: 'edited' } }
    const forked = await engine.control.fork(id, fork)
    await untilIs(scene, forked.id, 'completed')
    const { c } = await scene.steps(forked.id)
    expect(c?.output).toContain('"second":"edited"')
    expect(c?.output).toContain('"first":"a: A text')
  })

  test('of a failed one does not run completed steps again', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const steps = createFaultySteps()
    steps.break('c', apiFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    steps.mend('c')
    const forked = await engine.control.fork(id, { accountId: what.accountId, fromStep: 'c' })
    await untilIs(scene, forked.id, 'completed')
    expect(steps.ran).toEqual(['a', 'b', 'c', 'c'])
    expect(await scene.read(id)).toMatchObject({ status: 'failed' })
  })

  test('of a running one reuses the steps completed so far', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const steps = createFaultySteps()
    const reached = Promise.withResolvers<void>()
    const open = Promise.withResolvers<void>()
    const { engine } = await scene.startProcess({
      runStep: async (run) => {
        if (run.step.id === 'b' && !steps.ran.includes('b')) {
          steps.ran.push('b')
          reached.resolve()
          await open.promise
        }
        return await steps.runStep(run)
      },
    })
    const { id } = await engine.executions.enqueue(what)
    await reached.promise
    const forked = await engine.control.fork(id, { accountId: what.accountId, fromStep: 'b' })
    await untilIs(scene, forked.id, 'completed')
    open.resolve()
    await untilIs(scene, id, 'completed')
    expect(steps.ran.filter((step) => step === 'a')).toHaveLength(1)
    await eventsOf(engine, id)
  })

  test('creates one execution for repeated requests', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const steps = createFaultySteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    const fork = { id: randomUUID(), accountId: what.accountId, fromStep: 'c' }
    const forks = await Promise.all(Array.from({ length: 5 }, () => engine.control.fork(id, fork)))
    expect(new Set(forks.map((it) => it.id))).toEqual(new Set([fork.id]))
    await untilIs(scene, fork.id, 'completed')
    expect(steps.ran).toEqual(['a', 'b', 'c', 'c'])
    await eventsOf(engine, fork.id)
  })

  test('counts only what it ran itself', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const { engine } = await scene.startProcess({ runStep: sayWhatIsSeen })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    const forked = await engine.control.fork(id, { accountId: what.accountId, fromStep: 'c' })
    await untilIs(scene, forked.id, 'completed')
    const record = await engine.executions.read(forked.id)
    const tokens = record?.facts?.steps.reduce((sum, step) => sum + (step.input_tokens ?? 0), 0)
    expect(tokens).toBe(7)
    expect(record?.facts?.spent).toBe(40)
    expect(record?.facts?.steps.map(({ id: step }) => step)).toEqual(['c'])
    expect(await countedOf(scene, engine, what.flowId)).toMatchObject({ executions: 2, completed: 2 })
  })

  test('waits for approval when the flow asks for it', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    await scene.database.query(`update engine_flow_versions set metadata = '{"approval_required": true}'`)
    const steps = createFaultySteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    const forked = await engine.control.fork(id, { accountId: what.accountId, fromStep: 'c' })
    expect(forked.parked).toBe('approval')
    expect(await engine.executions.read(forked.id)).toMatchObject({ status: 'queued', parked: 'approval' })
    await engine.control.decide(forked.id, { decision: 'approved', by: randomUUID() })
    await untilIs(scene, forked.id, 'completed')
    expect(steps.ran).toEqual(['a', 'b', 'c', 'c'])
  })

  test('is refused where no step can start', async () => {
    await using scene = await openEngineScene()
    const jump = {
      id: 'gate',
      type: 'conditional',
      conditions: [
        {
          field: 'content',
          operator: 'contains',
          value: 'A',
          action: { type: 'jump_to_step', target_step: 'end' },
        },
      ],
    }
    const what = await scene.save([jump, prompt('between', ['gate']), prompt('end', ['between'])])
    const { engine } = await scene.startProcess()
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    const fork = (fromStep: string, from = id) =>
      engine.control.fork(from, { accountId: what.accountId, fromStep })
    await expect(fork('nowhere')).rejects.toMatchObject({
      code: 'unknown_step',
      details: { steps: ['gate', 'between', 'end'] },
    })
    await expect(fork('between')).rejects.toMatchObject({ code: 'step_was_skipped' })
    await expect(fork('end', randomUUID())).rejects.toMatchObject({ code: 'execution_not_found' })
    const { id: good } = await fork('end')
    await untilIs(scene, good, 'completed')
    expect(await scene.steps(good)).toMatchObject({
      between: { state: 'skipped' },
      end: { state: 'completed' },
    })
    await scene.database.query('update engine_flows set deleted_at = now()')
    await expect(fork('end')).rejects.toMatchObject({ code: 'flow_not_found' })
  })

  test('is refused when a reused output was not stored', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain, {
      global_configuration: { monitoring: { capture_intermediate_results: false } },
    })
    const { engine } = await scene.startProcess()
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    const fork = (fromStep: string) => engine.control.fork(id, { accountId: what.accountId, fromStep })
    await expect(fork('c')).rejects.toMatchObject({ code: 'outputs_not_kept' })
    const { id: whole } = await fork('a')
    await untilIs(scene, whole, 'completed')
  })
})
