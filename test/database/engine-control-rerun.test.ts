import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { StepFailure } from '#engine'
import { apiFailed, createFaultySteps, eventsOf, prompt, untilIs } from './engine-control-setting.ts'
import { answer, type EngineScene, openEngineScene, type Run } from './engine-setting.ts'
import { someCall } from './models-accounting.ts'

/** Saves a further version of a flow. */
async function saveVersion(
  { database }: EngineScene,
  flowId: string,
  steps: readonly object[],
): Promise<void> {
  await database.query(
    `
      with changed as (
        update engine_flows set current_version = current_version + 1 where id = $1 returning current_version
      )
      insert into engine_flow_versions (flow_id, version, definition)
      select $1, current_version, $2 from changed
    `,
    [flowId, JSON.stringify({ id: flowId, label: 'A test', steps })],
  )
}

const chain = [prompt('a'), prompt('b', ['a']), prompt('c', ['b'])]

describe('running an execution again', () => {
  test('starts at the first step, with the same input and the version of choice', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const steps = createFaultySteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    await saveVersion(scene, what.flowId, [prompt('a'), prompt('d', ['a'])])
    const accountId = randomUUID()

    const same = await engine.control.rerun(id, { accountId, version: 'same' })
    await untilIs(scene, same.id, 'completed')
    const latest = await engine.control.rerun(id, {
      accountId,
      version: 'latest',
      context: { title: 'Another' },
    })
    await untilIs(scene, latest.id, 'completed')
    expect(steps.ran).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'd'])
    expect(await engine.executions.read(same.id)).toMatchObject({
      accountId,
      flowVersion: 1,
      rerunOf: id,
      forkedFrom: null,
      input: { context: { content: 'A text.' } },
    })
    const record = await engine.executions.read(latest.id)
    expect(record).toMatchObject({ flowVersion: 2, rerunOf: id })
    expect(record?.input.context).toEqual({ title: 'Another' })
    const { executions } = await engine.executions.list({ order: 'oldest', limit: 10, offset: 0 })
    expect(executions.map(({ rerunOf }) => rerunOf)).toEqual([null, id, id])
  })

  test('with one id is one execution', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const { engine } = await scene.startProcess()
    const { id } = await engine.executions.enqueue(what)
    const rerun = { id: randomUUID(), accountId: what.accountId, version: 1 } as const
    await engine.control.rerun(id, rerun)
    await engine.control.rerun(id, rerun)
    const { total } = await engine.executions.list({ order: 'oldest', limit: 10, offset: 0 })
    expect(total).toBe(2)
  })

  test('needs an execution, a flow and a version that exist', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const { engine } = await scene.startProcess()
    const { id } = await engine.executions.enqueue(what)
    const rerun = { accountId: what.accountId, version: 'latest' } as const
    await expect(engine.control.rerun(randomUUID(), rerun)).rejects.toMatchObject({
      code: 'execution_not_found',
    })
    await expect(engine.control.rerun(id, { ...rerun, version: 7 })).rejects.toMatchObject({
      code: 'flow_not_found',
      message: 'The flow "flow_1" has no version 7.',
    })
    await scene.database.query('update engine_flows set deleted_at = now()')
    await expect(engine.control.rerun(id, rerun)).rejects.toMatchObject({ code: 'flow_not_found' })
  })
})

describe('another version of the flow', () => {
  test('lets a fork reuse only the outcomes of unchanged steps', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const steps = createFaultySteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    await saveVersion(scene, what.flowId, [
      prompt('a'),
      { ...prompt('b', ['a']), prompt: 'B' },
      prompt('c', ['b']),
    ])
    const { accountId } = what
    const forked = await engine.control.fork(id, { accountId, fromStep: 'c', flowVersion: 'latest' })
    await untilIs(scene, forked.id, 'completed')
    // `b` is before the chosen step, but it is another step now.
    expect(steps.ran.slice(3)).toEqual(['b', 'c'])
    const record = await engine.executions.read(forked.id)
    expect(record).toMatchObject({ flowVersion: 2, forkedAtStep: 'c' })
    expect(record?.outcomes.map(({ stepId, output }) => [stepId, output])).toEqual([
      ['a', 'output of a'],
      ['b', 'B'],
      ['c', 'output of c'],
    ])
    const [event] = await eventsOf(engine, forked.id)
    expect(event?.data).toMatchObject({ flow_version: 2, reused_steps: ['a'] })
  })

  test('has to have the step that a fork starts at', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const { engine } = await scene.startProcess()
    const { id } = await engine.executions.enqueue(what)
    await saveVersion(scene, what.flowId, [prompt('a')])
    await expect(
      engine.control.fork(id, { accountId: what.accountId, fromStep: 'c', flowVersion: 2 }),
    ).rejects.toMatchObject({ code: 'unknown_step' })
  })

  test('repairs a failed execution without running a finished step again', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const steps = createFaultySteps()
    steps.break('b', apiFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    steps.mend('b')
    await saveVersion(scene, what.flowId, [
      prompt('a'),
      { ...prompt('b', ['a']), prompt: 'B' },
      prompt('d', ['b']),
    ])
    await engine.control.recover(id, {
      action: 'restart_from_checkpoint',
      by: null,
      flowVersion: 'latest',
    })
    await untilIs(scene, id, 'completed')
    expect(steps.ran).toEqual(['a', 'b', 'b', 'd'])
    expect(await engine.executions.read(id)).toMatchObject({ flowVersion: 2 })
    expect((await scene.steps(id))['b']).toMatchObject({ output: 'B' })
  })

  test('that changes a finished step cannot continue an execution', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(chain)
    const steps = createFaultySteps()
    steps.break('b', apiFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    await saveVersion(scene, what.flowId, [{ ...prompt('a'), prompt: 'A' }, prompt('b', ['a'])])
    await expect(
      engine.control.recover(id, { action: 'restart_from_checkpoint', by: null, flowVersion: 2 }),
    ).rejects.toMatchObject({ code: 'recovery_not_possible', details: { changed_steps: ['a'] } })
    expect(await scene.read(id)).toMatchObject({ status: 'failed' })
  })
})

describe('raising the budget of a failed execution', () => {
  const cost = 300

  async function runOutOfBudget(scene: EngineScene) {
    const what = await scene.save(chain, {
      global_configuration: { cost_controls: { max_total_cost: 0.0005 } },
    })
    const ran: string[] = []
    const { engine } = await scene.startProcess({
      async runStep({ step, budget, signal }: Run) {
        const reservation = await budget.reserve(cost, someCall(), signal)
        ran.push(step.id)
        await reservation.settle(cost)
        const paid = answer(step.id)
        return { ...paid, usage: { ...paid.usage, microDollars: cost } }
      },
    })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    const raise = (maxTotalCost: number, mayExceedFlow = true) =>
      engine.control.recover(id, {
        action: 'restart_from_checkpoint',
        by: null,
        budget: { maxTotalCost, mayExceedFlow },
      })
    return { engine, id, ran, raise }
  }

  test('continues where it stopped', async () => {
    await using scene = await openEngineScene()
    const { engine, id, ran, raise } = await runOutOfBudget(scene)
    await raise(0.001)
    await untilIs(scene, id, 'completed')
    expect(ran).toEqual(['a', 'b', 'c'])
    expect(await scene.read(id)).toMatchObject({ spent: 900 })
    const events = await eventsOf(engine, id)
    expect(events.find(({ type }) => type === 'execution_recovered')?.data).toMatchObject({
      max_total_cost: 0.001,
    })
  })

  test('has to exceed what is spent, and needs a permission above the limit of the flow', async () => {
    await using scene = await openEngineScene()
    const { raise } = await runOutOfBudget(scene)
    await expect(raise(0.0003)).rejects.toMatchObject({ code: 'recovery_not_possible' })
    await expect(raise(0.001, false)).rejects.toMatchObject({ code: 'permission_denied' })
  })

  test('does not fit another failure', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('a')])
    const { engine } = await scene.startProcess({
      async runStep() {
        throw new StepFailure(apiFailed)
      },
    })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    await expect(
      engine.control.recover(id, {
        action: 'restart_from_checkpoint',
        by: null,
        budget: { maxTotalCost: 1, mayExceedFlow: true },
      }),
    ).rejects.toMatchObject({ code: 'recovery_not_possible' })
  })
})
