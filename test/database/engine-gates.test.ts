import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { runWait } from '../../src/engine/steps/wait.ts'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { prompt, untilIs } from './engine-control-setting.ts'
import { type EngineScene, openEngineScene, type Run, type RunStep, runPlainly } from './engine-setting.ts'

const limited = (control: object) => ({ global_configuration: { flow_control: control } })

/** Steps that run until they are released, and how many of them run at once. */
function createHeldSteps() {
  const running = new Map<string, () => void>()
  const started: Run[] = []
  const startedAt: number[] = []
  let most = 0
  const runStep: RunStep = async (run) => {
    if (run.step.type === 'wait') return await runWait({ ...run, step: run.step })
    const { promise, resolve } = Promise.withResolvers<void>()
    started.push(run)
    startedAt.push(performance.now())
    running.set(run.executionId, resolve)
    most = Math.max(most, running.size)
    await promise
    running.delete(run.executionId)
    return await runPlainly(run)
  }
  return {
    runStep,
    running,
    started,
    startedAt,
    most: () => most,
    release(id: string) {
      running.get(id)?.()
    },
    releaseAll() {
      for (const release of running.values()) release()
    },
  }
}

async function statesOf({ database }: EngineScene, ids: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ id: string; work_state: string }>(
    'select id, work_state from engine_executions where id = any($1::uuid[])',
    [ids],
  )
  const states = new Map(rows.map((row) => [row.id, row.work_state]))
  return ids.map((id) => states.get(id) ?? 'unknown')
}

const withContext = (context: object, what: Awaited<ReturnType<EngineScene['save']>>) => ({
  ...what,
  input: { ...what.input, context: { ...context } },
})

describe('a limit of concurrency', () => {
  test('holds over two processes, and every end lets the next execution pass', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('work')], limited({ concurrency: { limit: 3 } }))
    const steps = createHeldSteps()
    const one = await scene.startProcess({ runStep: steps.runStep })
    const two = await scene.startProcess({ runStep: steps.runStep })
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { engine } = index % 2 === 0 ? one : two
        return (await engine.executions.enqueue({ ...what, accountId: randomUUID() })).id
      }),
    )
    await eventually(async () => steps.running.size === 3)
    expect((await statesOf(scene, ids)).filter((state) => state === 'gated')).toHaveLength(17)
    await eventually(async () => {
      steps.releaseAll()
      return (await statesOf(scene, ids)).every((state) => state === 'finished')
    })
    expect(steps.most()).toBe(3)
    expect(steps.started).toHaveLength(20)
  })

  test('is one for each value of its key', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(
      [prompt('work')],
      limited({ concurrency: { limit: 1, key: 'context.customer' } }),
    )
    const steps = createHeldSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const enqueue = async (customer: string) =>
      (await engine.executions.enqueue(withContext({ customer }, what))).id
    const [ada, ada2, bob] = [await enqueue('ada'), await enqueue('ada'), await enqueue('bob')]
    await eventually(async () => steps.running.size === 2)
    expect([...steps.running.keys()].sort()).toEqual([ada, bob].sort())
    expect((await engine.executions.read(ada2))?.gated).toMatchObject({
      limit: 'concurrency',
      until: null,
      ahead: 0,
    })
    expect(await scene.happened(ada2)).toEqual(['execution_gated'])
    steps.release(ada)
    await eventually(async () => steps.running.has(ada2))
    steps.releaseAll()
    await untilIs(scene, ada2, 'completed')
    expect((await engine.executions.read(ada2))?.gated).toBeNull()
  })

  test('lets higher priorities pass first, and accounts in turn', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('work')], limited({ concurrency: { limit: 1 } }))
    const steps = createHeldSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const [busy, quiet] = [randomUUID(), randomUUID()]
    const enqueue = async (accountId: string, priority: 'normal' | 'high' = 'normal') =>
      (await engine.executions.enqueue({ ...what, accountId, priority })).id
    const first = await enqueue(busy)
    const second = await enqueue(busy)
    const third = await enqueue(busy)
    const other = await enqueue(quiet)
    const urgent = await enqueue(busy, 'high')
    for (const id of [first, urgent, second, other, third]) {
      await eventually(async () => steps.running.size === 1)
      steps.release(id)
      await eventually(async () => !steps.running.has(id) && (await scene.read(id)).status === 'completed')
    }
    expect(steps.started.map(({ executionId }) => executionId)).toEqual([first, urgent, second, other, third])
  })

  test('does not count an execution that only waits, which comes to the gate again, before others', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(
      [{ id: 'rest', type: 'wait', duration: '1d' }, prompt('after', ['rest'])],
      limited({ concurrency: { limit: 1 } }),
    )
    const work = await scene.save([prompt('work')], limited({ concurrency: { limit: 1 } }))
    // Both are versions of one flow, so that they share its limit.
    await scene.database.query(
      `update engine_flow_versions set flow_id = $1, version = 2 where flow_id = $2`,
      [what.flowId, work.flowId],
    )
    const steps = createHeldSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id: waiting } = await engine.executions.enqueue(what)
    await eventually(async () => (await scene.read(waiting)).work_state === 'suspended')
    const { id: holder } = await engine.executions.enqueue({ ...what, flowVersion: 2 })
    await eventually(async () => steps.running.has(holder))
    const { id: newer } = await engine.executions.enqueue({ ...what, flowVersion: 2 })
    await scene.database.query('update engine_waits set wake_at = now() where execution_id = $1', [waiting])
    await eventually(async () => (await scene.read(waiting)).work_state === 'gated')
    expect(await engine.executions.read(waiting)).toMatchObject({
      status: 'running',
      suspended: null,
      gated: { limit: 'concurrency' },
    })
    steps.release(holder)
    await eventually(async () => steps.running.has(waiting))
    expect((await scene.read(newer)).work_state).toBe('gated')
    steps.release(waiting)
    await eventually(async () => steps.running.has(newer))
    steps.release(newer)
    await untilIs(scene, newer, 'completed')
    expect((await scene.read(waiting)).status).toBe('completed')
  })

  test('holds for recovered, forked and approved executions', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('work')], limited({ concurrency: { limit: 1 } }))
    const steps = createHeldSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id: source } = await engine.executions.enqueue(what)
    await eventually(async () => steps.running.has(source))
    steps.release(source)
    await untilIs(scene, source, 'completed')
    await scene.database.query(`update engine_executions set status = 'failed' where id = $1`, [source])
    const { id: holder } = await engine.executions.enqueue(what)
    await eventually(async () => steps.running.has(holder))
    await engine.control.recover(source, { action: 'restart_from_checkpoint', by: null })
    const { id: forked } = await engine.control.fork(holder, { accountId: what.accountId, fromStep: 'work' })
    const { id: approved } = await engine.executions.enqueue({ ...what, needsApproval: true })
    expect(await statesOf(scene, [source, forked, approved])).toEqual(['gated', 'gated', 'queued'])
    await engine.control.decide(approved, { decision: 'approved', by: what.accountId })
    expect(await statesOf(scene, [approved])).toEqual(['gated'])
    await eventually(async () => {
      steps.releaseAll()
      const ends = await statesOf(scene, [holder, source, forked, approved])
      return ends.every((state) => state === 'finished')
    })
    expect(steps.most()).toBe(1)
  })

  test('of the newest version holds for all that wait', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('work')], limited({ concurrency: { limit: 1 } }))
    const steps = createHeldSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const ids: string[] = []
    for (let count = 0; count < 4; count += 1) ids.push((await engine.executions.enqueue(what)).id)
    await eventually(async () => steps.running.size === 1)
    await scene.database.query(
      `insert into engine_flow_versions (flow_id, version, definition)
       select flow_id, 2, jsonb_set(definition, '{global_configuration,flow_control,concurrency,limit}', '3')
       from engine_flow_versions where flow_id = $1`,
      [what.flowId],
    )
    await scene.database.query('update engine_flows set current_version = 2 where id = $1', [what.flowId])
    const [first = ''] = steps.running.keys()
    steps.release(first)
    await eventually(async () => steps.running.size === 3)
    steps.releaseAll()
    for (const id of ids) await untilIs(scene, id, 'completed')
  })

  test('is free again when its holder is cancelled, and a gated execution can be cancelled', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('work')], limited({ concurrency: { limit: 1 } }))
    const steps = createHeldSteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id: holder } = await engine.executions.enqueue(what)
    await eventually(async () => steps.running.has(holder))
    const { id: second } = await engine.executions.enqueue(what)
    const { id: third } = await engine.executions.enqueue(what)
    expect(await engine.executions.cancel(second, { by: null })).toBe('cancelled')
    expect(await engine.executions.cancel(holder, { by: null, force: true, waitMs: 0 })).toBe('cancelled')
    await eventually(async () => steps.running.has(third))
    steps.releaseAll()
    await untilIs(scene, third, 'completed')
    expect((await engine.executions.list({ gated: true, order: 'oldest', limit: 10, offset: 0 })).total).toBe(
      0,
    )
  })

  test('a crashed process that has let nothing pass is replaced by the recurring task', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('work')], limited({ concurrency: { limit: 1 } }))
    const { engine } = await scene.startProcess()
    const { id: first } = await engine.executions.enqueue(what)
    await untilIs(scene, first, 'completed')
    // As after a crash between the end of an execution and the opening of the gate.
    const { id } = await engine.executions.enqueue({ ...what, needsApproval: true })
    await scene.database.query(
      `update engine_executions set work_state = 'gated', approval = null where id = $1`,
      [id],
    )
    await engine.tasks.find(({ name }) => name === 'engine.gates')?.run(new AbortController().signal)
    await untilIs(scene, id, 'completed')
  })
})

describe('a throttle', () => {
  test('spreads starts over its period, whichever process starts them', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(
      [prompt('work')],
      limited({ throttle: { limit: 10, period: '1s', burst: 2 } }),
    )
    const [one, two] = [await scene.startProcess(), await scene.startProcess()]
    const begunAt = Date.now()
    const ids = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { id } = await (index % 2 === 0 ? one : two).engine.executions.enqueue(what)
        return id
      }),
    )
    for (const id of ids) await untilIs(scene, id, 'completed')
    const [last] = await scene.database.query<{ at: number }>(
      `select (extract(epoch from max(started_at)) * 1000)::float8 as at from engine_executions`,
    )
    // Two at once, then one each 100 ms: the twelfth passes the gate a second after the first.
    expect((last?.at ?? 0) - begunAt).toBeGreaterThan(950)
    const [row] = await scene.database.query<{ gates: number }>(
      `select count(*)::integer as gates from engine_executions where gated_at is not null`,
    )
    expect(row?.gates).toBe(12)
  })

  test('tells when the next execution may start', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('work')], limited({ throttle: { limit: 1, period: '1h' } }))
    const { engine } = await scene.startProcess()
    const { id: first } = await engine.executions.enqueue(what)
    await untilIs(scene, first, 'completed')
    const { id } = await engine.executions.enqueue(what)
    const gated = (await engine.executions.read(id))?.gated
    expect(gated).toMatchObject({ limit: 'throttle' })
    const inMs = (gated?.until?.getTime() ?? 0) - Date.now()
    expect(inMs).toBeGreaterThan(3_500_000)
    expect(inMs).toBeLessThanOrEqual(3_600_000)
    expect(await scene.happened(id)).toEqual(['execution_gated'])
  })
})

describe('a debounce', () => {
  test('runs the last of several starts, once', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(
      [prompt('work')],
      limited({ debounce: { period: '1h', key: 'context.page' } }),
    )
    const { engine } = await scene.startProcess()
    const start = (context: object, accountId = what.accountId) =>
      engine.executions.enqueue({ ...withContext(context, what), accountId })
    const first = await start({ page: 'a', text: 1 })
    const again = await start({ page: 'a', text: 2 })
    const last = await start({ page: 'a', text: 3 })
    const other = await start({ page: 'b', text: 4 })
    const stranger = await start({ page: 'a', text: 5 }, randomUUID())
    expect([again, last]).toEqual([
      { ...first, debounced: true },
      { ...first, debounced: true },
    ])
    expect(new Set([first.id, other.id, stranger.id]).size).toBe(3)
    expect((await engine.executions.read(first.id))?.gated).toMatchObject({ limit: 'debounce', starts: 3 })
    // As if the hour had passed.
    await scene.database.query('update engine_executions set hold_until = now()')
    await scene.database.query('update engine_gates set due_at = now()')
    for (const { id } of [first, other, stranger]) await untilIs(scene, id, 'completed')
    expect((await engine.executions.read(first.id))?.input.context).toEqual({ page: 'a', text: 3 })
    const next = await start({ page: 'a', text: 6 })
    expect(next.id).not.toBe(first.id)
  })

  test('is not postponed beyond its longest wait', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('work')], limited({ debounce: { period: '1h', max_wait: '1h' } }))
    const { engine } = await scene.startProcess()
    const { id } = await engine.executions.enqueue(what)
    await scene.database.query(
      `update engine_executions set created_at = created_at - interval '1 hour' + $2 * interval '1 second' where id = $1`,
      [id, 2 * patience],
    )
    expect(await engine.executions.enqueue(what)).toMatchObject({ id, debounced: true })
    await untilIs(scene, id, 'completed')
  })
})

describe('an execution that is not gated', () => {
  test('has the priority that an expression of its flow gives it', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(
      [prompt('work')],
      limited({ priority: "context.plan == 'paid' ? 'high' : 'low'" }),
    )
    const { engine } = await scene.startProcess()
    const { id } = await engine.executions.enqueue(withContext({ plan: 'paid' }, what))
    await untilIs(scene, id, 'completed')
    expect(await engine.executions.read(id)).toMatchObject({ priority: 'high', gated: null })
    await expect(engine.executions.enqueue(withContext({}, what))).rejects.toMatchObject({
      code: 'invalid_input',
      problems: [{ path: 'flow_control.priority' }],
    })
  })
})

test('more executions than the limit of a flow are not stored', async () => {
  await using scene = await openEngineScene()
  const what = await scene.save([prompt('work')], limited({ concurrency: { limit: 1 } }))
  const { engine } = await scene.startProcess()
  const { id } = await engine.executions.enqueue({ ...what, needsApproval: true })
  const fill = (accountId: string, flowId: string) =>
    scene.database.query(
      `
        insert into engine_executions (id, flow_id, flow_version, account_id, input, work_state, hold_until)
        select gen_random_uuid(), $2, 1, $3, '{}', 'gated', 'infinity' from generate_series(1, 10000)
        where exists (select from engine_executions where id = $1)
      `,
      [id, flowId, accountId],
    )
  const stranger = randomUUID()
  await fill(stranger, 'another_flow')
  await expect(engine.executions.enqueue({ ...what, accountId: stranger })).rejects.toMatchObject({
    code: 'too_many_gated',
    status: 503,
    details: { of: 'account' },
  })
  const { id: passed } = await engine.executions.enqueue(what)
  await untilIs(scene, passed, 'completed')
  await fill(randomUUID(), what.flowId)
  await expect(engine.executions.enqueue(what)).rejects.toMatchObject({
    code: 'too_many_gated',
    details: { of: 'flow' },
  })
})
