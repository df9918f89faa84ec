import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { StepFailure } from '#engine'
import { patience } from '../support/patience.ts'
import { answer, type EngineScene, openEngineScene, type Run, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }

const say = (id: string, prompt: string, more: object = {}) => ({ id, type: 'ai_prompt', prompt, ...more })
const call = (flow: string, more: object = {}) => ({ id: 'call', type: 'sub_flow', flow, ...more })
const idOf = (what: object) => (what as { flowId: string }).flowId

const withInput = (what: object, context: object = {}) =>
  ({ ...what, input: { context, options: {}, memory: {} } }) as never

/** Prompts answer with their text and the topic of their context. */
function createSteps() {
  const ran: string[] = []
  const broken = new Set<string>()
  const held = new Set<string>()
  async function runStep(run: Run): ReturnType<typeof runPlainly> {
    const { step, path, scope, signal } = run
    if (step.type !== 'ai_prompt') return await runPlainly(run)
    ran.push(path)
    if (held.has(path)) await delay(60_000, undefined, { signal })
    if (broken.has(path)) throw new StepFailure({ code: 'EXTERNAL_API_FAILED', message: 'No.' })
    return answer([step.prompt, scope.context['topic'] ?? null, Object.keys(scope.memory)])
  }
  return { ran, broken, held, runStep }
}

const untilIs = (scene: EngineScene, id: string, status: string) =>
  vi.waitFor(async () => expect((await scene.read(id)).status).toBe(status), patiently)

const many = (flow: string) =>
  Array.from({ length: 50 }, (_, index) => ({ ...call(flow), id: `call_${index}` }))
const loopOver = (id: string, items: string, steps: object[]) => ({
  id,
  type: 'for_each',
  items,
  concurrency: 50,
  keep_results: false,
  steps,
})

describe.concurrent('sub_flow', () => {
  test('runs the steps of another flow with its input as context; its result is the output', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine, worker } = await scene.startProcess({ runStep: steps.runStep })
    const inner = await scene.save([
      say('first', 'inner', { output_to_memory: 'text' }),
      say('last', 'end', { dependencies: ['first'] }),
    ])
    const what = await scene.save([
      say('first', 'outer', { output_to_memory: 'outer_text' }),
      call(idOf(inner), { dependencies: ['first'], input: { topic: '{{word}}', outer: '{{outer_text}}' } }),
      say('after', 'after', { dependencies: ['call'] }),
    ])
    const { id, end } = await engine.executions.start(withInput(what, { word: 'tea' }), worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    const rows = await scene.steps(id)
    expect(rows['call']).toMatchObject({
      output: ['end', 'tea', ['text']],
      details: { nested: { total: 1, completed: 1, failed: 0 } },
    })
    expect(rows['call/$open']).toMatchObject({
      output: { flow: { id: idOf(inner), version: 1 }, context: { topic: 'tea' } },
      details: { flow: { id: idOf(inner), version: 1 } },
    })
    expect(rows['call/0/first']?.output).toEqual(['inner', 'tea', []])
    const record = await engine.executions.read(id)
    expect(record?.outcomes.map(({ stepId }) => stepId).sort()).toEqual(['after', 'call', 'first'])
    expect(
      record?.facts?.steps.map(({ id: step, type, count }) => `${step} ${type} ${count}`).sort(),
    ).toEqual([
      'after ai_prompt 1',
      'call sub_flow 1',
      'call/first ai_prompt 1',
      'call/last ai_prompt 1',
      'first ai_prompt 1',
    ])
  })

  test('what runs is the version that was current when the step started, also after a crash and in a fork', async () => {
    await using scene = await openEngineScene()
    const first = createSteps()
    const stopped = await scene.startProcess({ runStep: first.runStep })
    const old = await scene.save([say('a', 'old a'), say('b', 'old b', { dependencies: ['a'] })])
    const what = await scene.save([call(idOf(old)), say('after', 'x', { dependencies: ['call'] })])
    first.held.add('call/0/b')
    const { id } = await stopped.engine.executions.enqueue(withInput(what))
    await vi.waitFor(() => expect(first.ran).toContain('call/0/b'), patiently)
    const flow = await stopped.engine.flows.read(idOf(old))
    await stopped.engine.flows.change(
      idOf(old),
      { definition: { ...flow.definition, steps: [say('c', 'new')] } },
      { by: { accountId: null, username: null } },
    )
    await stopped.worker.stop()
    const second = createSteps()
    const { engine } = await scene.startProcess({ runStep: second.runStep })
    await untilIs(scene, id, 'completed')
    expect(second.ran).toEqual(['call/0/b', 'after'])
    expect((await scene.steps(id))['call']?.output).toEqual(['old b', null, []])

    second.ran.length = 0
    const fork = await engine.control.fork(id, {
      id: randomUUID(),
      accountId: randomUUID(),
      fromStep: 'call/0/b',
    })
    await untilIs(scene, fork.id, 'completed')
    expect(second.ran).toEqual(['call/0/b', 'after'])
    await expect(
      engine.control.fork(id, { id: randomUUID(), accountId: randomUUID(), fromStep: 'call/0/c' }),
    ).rejects.toMatchObject({ code: 'unknown_step' })
    second.ran.length = 0
    const anew = await engine.control.fork(id, {
      id: randomUUID(),
      accountId: randomUUID(),
      fromStep: 'call',
    })
    await untilIs(scene, anew.id, 'completed')
    expect(second.ran).toEqual(['call/0/c', 'after'])
  })

  test('a failure inside fails the step, which is recovered at the failed step', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const inner = await scene.save([say('a', 'a'), say('b', 'b', { dependencies: ['a'] })])
    const what = await scene.save([call(idOf(inner))])
    steps.broken.add('call/0/b')
    const { id } = await engine.executions.enqueue(withInput(what))
    await untilIs(scene, id, 'failed')
    expect((await scene.read(id)).error).toMatchObject({
      code: 'EXTERNAL_API_FAILED',
      message: `The flow "${idOf(inner)}" failed: No.`,
      step: 'call',
      details: { failed_step: 'call/0/b' },
    })
    steps.broken.clear()
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by: null })
    await untilIs(scene, id, 'completed')
    expect(steps.ran).toEqual(['call/0/a', 'call/0/b', 'call/0/b'])
  })

  test('the error handling of the flow holds inside, that of the caller outside', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine, worker } = await scene.startProcess({ runStep: steps.runStep })
    const lenient = { global_configuration: { error_handling: { fallback_strategy: 'continue' } } }
    const inner = await scene.save([say('a', 'a'), say('b', 'b', { dependencies: ['a'] })], lenient)
    const what = await scene.save([call(idOf(inner))])
    steps.broken.add('call/0/a')
    const { id, end } = await engine.executions.start(withInput(what), worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    expect(await scene.steps(id)).toMatchObject({
      'call/0/a': { state: 'failed' },
      call: { state: 'completed' },
    })
    const strict = await scene.save([say('a', 'a')])
    const outer = await scene.save(
      [call(idOf(strict)), say('after', 'x', { dependencies: ['call'] })],
      lenient,
    )
    const other = await engine.executions.start(withInput(outer), worker)
    expect(await other.end).toEqual({ status: 'completed', error: null })
    expect(await scene.steps(other.id)).toMatchObject({
      'call/0/a': { state: 'failed', details: { ended_scope: true } },
      call: { state: 'failed' },
      after: { state: 'completed' },
    })
  })

  test('a flow that does not exist, runs itself, or is too deep fails with the reason', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep: createSteps().runStep })
    const run = async (what: object) => await (await engine.executions.start(withInput(what), worker)).end
    expect(await run(await scene.save([call('gone')]))).toMatchObject({
      status: 'failed',
      error: {
        code: 'INVALID_STEP',
        message: 'There is no flow "gone". Create it, or choose another one.',
        step: 'call',
      },
    })
    const inner = await scene.save([say('a', 'a')])
    expect(await run(await scene.save([call(idOf(inner), { flow_version: 7 })]))).toMatchObject({
      error: { message: `There is no version 7 of a flow "${idOf(inner)}". Choose another one.` },
    })
    // Saved before the flow that it runs: the circle is found when it runs.
    const outer = await scene.save([call('later')])
    await engine.flows.create(
      { definition: { id: 'later', label: 'Later', steps: [call('between')] } },
      { by: { accountId: null, username: null } },
    )
    await scene.database.query(
      `with made as (insert into engine_flows (id, current_version) values ('between', 1) returning id)
       insert into engine_flow_versions (flow_id, version, definition)
       select id, 1, $1 from made`,
      [JSON.stringify({ id: 'between', label: 'Between', steps: [call(idOf(outer))] })],
    )
    expect(await run(outer)).toMatchObject({
      error: {
        code: 'INVALID_STEP',
        message: expect.stringContaining(`"${idOf(outer)}" → "later" → "between" → "${idOf(outer)}"`),
      },
    })
    await expect(
      engine.flows.change(
        'later',
        { definition: { id: 'later', label: 'Later again', steps: [call('between')] } },
        { by: { accountId: null, username: null } },
      ),
    ).rejects.toMatchObject({ code: 'invalid_flow_definition', problems: [{ code: 'circle' }] })
  })

  test('an account that may not run flows any more cannot open one', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({
      runStep: createSteps().runStep,
      accountStatusOf: async () => 'disabled',
    })
    const inner = await scene.save([say('a', 'a')])
    const { end } = await engine.executions.start(withInput(await scene.save([call(idOf(inner))])), worker)
    expect(await end).toMatchObject({
      error: { code: 'INVALID_STEP', message: 'The account of the execution may not run flows any more.' },
    })
  })

  test('shares the budget of the execution, and may have its own', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({
      async runStep(run) {
        const reserved = await run.budget.reserve(600_000, { model: 'm', provider: 'p' } as never, run.signal)
        await reserved.settle(600_000)
        return answer('x')
      },
    })
    const limited = { global_configuration: { cost_controls: { max_total_cost: 1 } } }
    const two = [say('a', 'a'), say('b', 'b', { dependencies: ['a'] })]
    const inner = await scene.save(two, limited)
    const run = async (step: object, more: object = {}) =>
      await (await engine.executions.start(withInput(await scene.save([step], more)), worker)).end
    expect(await run(call(idOf(inner)))).toMatchObject({
      status: 'failed',
      error: { code: 'INSUFFICIENT_CREDITS', details: { scope: 'call/0', budget: 1 } },
    })
    const free = await scene.save(two)
    expect(await run(call(idOf(free), { max_cost: 0.5 }))).toMatchObject({
      error: { code: 'INSUFFICIENT_CREDITS', details: { scope: 'call/0', budget: 0.5 } },
    })
    expect(await run(call(idOf(free)))).toEqual({ status: 'completed', error: null })
    expect(await run(call(idOf(free), { max_cost: 5 }), limited)).toMatchObject({
      error: { code: 'INSUFFICIENT_CREDITS', details: { budget: 1 } },
    })
  })

  test('runs for every item of a list, and ends without a worker when the execution is cancelled', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine, worker } = await scene.startProcess({ runStep: steps.runStep })
    const inner = await scene.save([say('a', 'a')])
    const each = {
      id: 'each',
      type: 'for_each',
      items: 'rows',
      steps: [call(idOf(inner), { input: { topic: '{{item}}' } })],
    }
    const what = await scene.save([each])
    const { id, end } = await engine.executions.start(withInput(what, { rows: ['x', 'y'] }), worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    expect((await scene.steps(id))['each']?.output).toMatchObject({
      results: [
        ['a', 'x', []],
        ['a', 'y', []],
      ],
    })
    steps.held.add('each/1/call/0/a')
    const other = await engine.executions.enqueue(withInput(what, { rows: ['x', 'y'] }))
    await vi.waitFor(
      () => expect(steps.ran.filter((path) => path === 'each/1/call/0/a')).toHaveLength(2),
      patiently,
    )
    await vi.waitFor(
      async () => expect(Object.keys(await scene.steps(other.id))).toContain('each/0/call/0/a'),
      patiently,
    )
    await engine.executions.cancel(other.id, { by: null, reason: 'enough', force: true })
    await untilIs(scene, other.id, 'cancelled')
    const record = await engine.executions.read(other.id)
    expect(record?.facts?.steps.map(({ id: step, type }) => `${step} ${type}`)).toContain(
      'each/call/a ai_prompt',
    )
  })

  test('flows that run each other open a bounded number of scopes; loops wait', async () => {
    await using scene = await openEngineScene()
    let [running, most] = [0, 0]
    const { engine, worker } = await scene.startProcess({
      async runStep() {
        running += 1
        most = Math.max(most, running)
        await delay(1)
        running -= 1
        return answer('x')
      },
    })
    const options = { resource_limits: { max_concurrent_ai_calls: 100 } }
    const leaf = await scene.save([say('a', 'a')])
    const middle = await scene.save(many(idOf(leaf)))
    const what = await scene.save(many(idOf(middle)))
    const wide = await engine.executions.start(withInput(what), worker)
    expect(await wide.end).toMatchObject({
      status: 'failed',
      error: { code: 'MEMORY_LIMIT_EXCEEDED', details: { open_scopes: 2000 } },
    })
    const rows = Array.from({ length: 30 }, (_, index) => index)
    const loops = await scene.save([loopOver('outer', 'rows', [loopOver('inner', 'rows', [say('a', 'a')])])])
    const waiting = await engine.executions.start(
      {
        ...(withInput(loops, { rows }) as object),
        input: { context: { rows }, options, memory: {} },
      } as never,
      worker,
    )
    expect(await waiting.end).toEqual({ status: 'completed', error: null })
    expect((await scene.steps(waiting.id))['outer']?.output).toMatchObject({ succeeded: 30, failed: 0 })
    expect(most).toBeGreaterThan(50)
  })
})
