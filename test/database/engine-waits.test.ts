import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { StepFailure } from '#engine'
import { runWait } from '../../src/engine/steps/wait.ts'
import { eventually } from '../support/eventually.ts'
import { prompt, untilIs } from './engine-control-setting.ts'
import { type EngineScene, openEngineScene, type RunStep, runPlainly } from './engine-setting.ts'

/** Runs steps of the type `wait` for real, all others plainly, and counts how often each ran. */
function createCountedSteps() {
  const started: string[] = []
  const runStep: RunStep = async (run) => {
    started.push(run.step.id)
    return run.step.type === 'wait' ? await runWait({ ...run, step: run.step }) : await runPlainly(run)
  }
  return { started, runStep }
}

const wait = (id: string, more: object, dependencies: readonly string[] = []) => ({
  id,
  type: 'wait',
  dependencies,
  ...more,
})

async function untilState(scene: EngineScene, id: string, state: string): Promise<void> {
  await eventually(async () => (await scene.read(id)).work_state === state)
}

/** Moves the open timers of an execution into the past. */
async function passTime({ database }: EngineScene, id: string): Promise<void> {
  await database.query('update engine_waits set wake_at = now() where execution_id = $1', [id])
}

describe('a step that waits', () => {
  test('for a moment keeps its worker, and ends on time', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([wait('rest', { duration: '300ms' }), prompt('after', ['rest'])])
    const { runStep, started } = createCountedSteps()
    const { engine } = await scene.startProcess({ runStep })
    const begunAt = performance.now()
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    expect(performance.now() - begunAt).toBeGreaterThan(290)
    expect(started).toEqual(['rest', 'after'])
    expect(await scene.happened(id)).not.toContain('execution_suspended')
    expect((await scene.steps(id))['rest']?.output).toEqual({
      waited_until: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })

  test('is not suspended when a wait was closed meanwhile, and no event is lost', async () => {
    await using scene = await openEngineScene()
    // As if another wait was closed between the commit that stores the wait and the one that suspends the execution.
    await scene.database.query(`
      create function wake() returns trigger language plpgsql as
      $$ begin update engine_executions set wakes = wakes + 1 where id = new.execution_id; return null; end $$
    `)
    await scene.database.query(
      'create trigger wake after insert on engine_waits for each row execute function wake()',
    )
    const what = await scene.save([wait('rest', { duration: '2d' }), prompt('after', ['rest'])])
    const { engine } = await scene.startProcess({ runStep: createCountedSteps().runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilState(scene, id, 'suspended')
    await passTime(scene, id)
    await untilIs(scene, id, 'completed')
    const events = (await engine.executions.read(id))?.events ?? []
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.map(({ type }) => type)).toEqual([
      'execution_started',
      'step_started',
      'wait_opened',
      'log',
      'execution_suspended',
      'execution_resumed',
      'wait_closed',
      'step_completed',
      'step_started',
      'step_completed',
      'execution_completed',
    ])
  })

  test('for long suspends its execution, which frees its worker and its slot', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([wait('rest', { duration: '2d' }), prompt('after', ['rest'])])
    const { runStep, started } = createCountedSteps()
    const { engine } = await scene.startProcess({
      runStep,
      limitsOf: async () => ({ concurrentWorkflows: 1 }),
    })
    const { id } = await engine.executions.enqueue(what)
    await untilState(scene, id, 'suspended')
    expect(await engine.capacity.activeOf(what.accountId)).toBe(0)
    const record = await engine.executions.read(id)
    expect(record).toMatchObject({
      status: 'running',
      suspended: { since: expect.any(Date) },
      waits: [{ stepId: 'rest', item: 0, kind: 'timer', until: expect.any(Date) }],
      queuePosition: null,
      parked: null,
    })
    const quick = await scene.save([prompt('only')])
    const other = await engine.executions.enqueue({ ...quick, accountId: what.accountId })
    await untilIs(scene, other.id, 'completed')

    await passTime(scene, id)
    await untilIs(scene, id, 'completed')
    expect(started).toEqual(['rest', 'only', 'rest', 'after'])
    expect(await scene.happened(id)).toEqual([
      'execution_started',
      'step_started',
      'wait_opened',
      'execution_suspended',
      'execution_resumed',
      'wait_closed',
      'step_completed',
      'step_started',
      'step_completed',
      'execution_completed',
    ])
    expect(await engine.capacity.activeOf(what.accountId)).toBe(0)
  })

  test('until a time in the past goes on at once', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([wait('rest', { until: '2020-01-01T00:00:00Z' })])
    const { engine } = await scene.startProcess({ runStep: createCountedSteps().runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    expect(await scene.happened(id)).not.toContain('execution_suspended')
  })

  test.each([
    [{ until: '{{content}}' }, 'is not a time'],
    [{ duration: '{{content}}' }, 'is not a duration'],
    [{ until: '2999-01-01T00:00:00Z' }, 'at most 400 days'],
  ])('fails when %j is not one', async (fields, message) => {
    await using scene = await openEngineScene()
    const what = await scene.save([wait('rest', fields)])
    const { engine } = await scene.startProcess({ runStep: createCountedSteps().runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    expect((await scene.read(id)).error).toMatchObject({
      code: 'INVALID_STEP',
      message: expect.stringContaining(message),
    })
  })

  test('beside a running step does not suspend the execution until that one has ended', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([
      wait('rest', { duration: '1d' }),
      prompt('slow'),
      prompt('after', ['rest']),
    ])
    const slow = Promise.withResolvers<void>()
    const { runStep } = createCountedSteps()
    const { engine } = await scene.startProcess({
      runStep: async (run) => {
        if (run.step.id === 'slow') await slow.promise
        return await runStep(run)
      },
    })
    const { id } = await engine.executions.enqueue(what)
    await eventually(async () => (await scene.happened(id)).includes('wait_opened'))
    expect((await scene.read(id)).work_state).toBe('running')
    slow.resolve()
    await untilState(scene, id, 'suspended')
    await passTime(scene, id)
    await untilIs(scene, id, 'completed')
  })

  test('goes on beside a running step when its wait is closed', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([
      wait('rest', { duration: '1d' }),
      prompt('slow'),
      prompt('after', ['rest']),
    ])
    const slow = Promise.withResolvers<void>()
    const { runStep } = createCountedSteps()
    const { engine } = await scene.startProcess({
      runStep: async (run) => {
        if (run.step.id === 'slow') await slow.promise
        return await runStep(run)
      },
    })
    const { id } = await engine.executions.enqueue(what)
    await eventually(async () => (await scene.happened(id)).includes('wait_opened'))
    await passTime(scene, id)
    await eventually(async () => Object.keys(await scene.steps(id)).join() === 'rest,after')
    slow.resolve()
    await untilIs(scene, id, 'completed')
    expect(await scene.happened(id)).not.toContain('execution_suspended')
  })

  test('suspends a batch when all its open items wait, and each item goes on', async () => {
    await using scene = await openEngineScene()
    const { input, ...what } = await scene.save([wait('rest', { duration: '1d' }), prompt('after', ['rest'])])
    const batch = { items: ['a', 'b', 'c'], parallel: true, size: 10 }
    const { runStep, started } = createCountedSteps()
    const { engine } = await scene.startProcess({ runStep })
    const { id } = await engine.executions.enqueue({ ...what, input: { ...input, batch } })
    await untilState(scene, id, 'suspended')
    expect((await engine.executions.read(id))?.waits.map(({ item }) => item)).toEqual([0, 1, 2])
    await passTime(scene, id)
    await untilIs(scene, id, 'completed')
    expect(started.filter((step) => step === 'after')).toHaveLength(3)
  })
})

async function suspend(scene: EngineScene, more: object = {}) {
  const what = await scene.save([wait('rest', { duration: '2d' }), prompt('after', ['rest'])], more)
  const { runStep, started } = createCountedSteps()
  const process = await scene.startProcess({ runStep })
  const { id } = await process.engine.executions.enqueue(what)
  await untilState(scene, id, 'suspended')
  return { ...process, id, what, started }
}

describe('a suspended execution', () => {
  test('is cancelled without a worker', async () => {
    await using scene = await openEngineScene()
    const { engine, worker, id, what } = await suspend(scene)
    await worker.stop()
    expect(await engine.executions.cancel(id, { by: null, reason: 'enough' })).toBe('cancelled')
    expect(await scene.read(id)).toMatchObject({ status: 'cancelled', work_state: 'finished' })
    expect(await engine.capacity.activeOf(what.accountId)).toBe(0)
    expect((await engine.executions.read(id))?.waits).toEqual([])
  })

  test('counts neither its duration nor its timeout while it is suspended', async () => {
    await using scene = await openEngineScene()
    const limits = { global_configuration: { resource_limits: { max_execution_time: '20s' } } }
    const { engine, id } = await suspend(scene, limits)
    // As if it had been suspended an hour ago.
    await scene.database.query(
      `
        update engine_executions
        set created_at = created_at - interval '1 hour', started_at = started_at - interval '1 hour',
          suspended_at = suspended_at - interval '1 hour'
        where id = $1
      `,
      [id],
    )
    await passTime(scene, id)
    await untilIs(scene, id, 'completed')
    const record = await engine.executions.read(id)
    expect(record?.durationMs).toBeLessThan(20_000)
  })

  test('survives a stop of all workers', async () => {
    await using scene = await openEngineScene()
    const { worker, id } = await suspend(scene)
    await worker.stop()
    expect((await scene.read(id)).work_state).toBe('suspended')
    await passTime(scene, id)
    const { runStep, started } = createCountedSteps()
    await scene.startProcess({ runStep })
    await untilIs(scene, id, 'completed')
    expect(started).toEqual(['rest', 'after'])
  })

  test('waits for a slot of its account when it is woken', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([wait('rest', { duration: '2d' })])
    const busy = Promise.withResolvers<void>()
    const { runStep } = createCountedSteps()
    const { engine } = await scene.startProcess({
      limitsOf: async () => ({ concurrentWorkflows: 1 }),
      runStep: async (run) => {
        if (run.step.id === 'busy') await busy.promise
        return await runStep(run)
      },
    })
    const { id } = await engine.executions.enqueue(what)
    await untilState(scene, id, 'suspended')
    const other = await scene.save([prompt('busy')])
    await engine.executions.enqueue({ ...other, accountId: what.accountId })
    await eventually(async () => (await engine.capacity.activeOf(what.accountId)) === 1)
    await passTime(scene, id)
    await untilState(scene, id, 'queued')
    expect((await engine.executions.read(id))?.suspended).toBeNull()
    busy.resolve()
    await untilIs(scene, id, 'completed')
  })

  test('waits again when a failed wait is recovered', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([wait('rest', { duration: '2d' })])
    const { runStep } = createCountedSteps()
    let isBroken = true
    const { engine } = await scene.startProcess({
      runStep: async (run) => {
        const result = await runStep(run)
        if (!isBroken) return result
        throw new StepFailure({ code: 'INVALID_STEP', message: 'broken' })
      },
    })
    const { id } = await engine.executions.enqueue(what)
    await untilState(scene, id, 'suspended')
    await passTime(scene, id)
    await untilIs(scene, id, 'failed')
    isBroken = false
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by: randomUUID() })
    await untilState(scene, id, 'suspended')
    await passTime(scene, id)
    await untilIs(scene, id, 'completed')
  })

  test('is deleted with its waits after the retention', async () => {
    await using scene = await openEngineScene()
    const { engine, id } = await suspend(scene)
    await engine.executions.cancel(id, { by: null })
    const clean = engine.tasks.find(({ name }) => name === 'engine.waits')
    await clean?.run(new AbortController().signal)
    const states = await scene.database.query('select state from engine_waits where execution_id = $1', [id])
    expect(states).toEqual([{ state: 'cancelled' }])
    await engine.history.roll({ signal: new AbortController().signal })
    await scene.database.query(`update engine_executions set finished_at = now() - interval '10 years'`)
    await engine.tasks.find(({ name }) => name === 'engine.prune')?.run(new AbortController().signal)
    expect(await scene.database.query('select from engine_waits')).toEqual([])
  })
})
