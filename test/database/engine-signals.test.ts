import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { runWaitForEvent } from '../../src/engine/steps/wait-for-event.ts'
import { eventually } from '../support/eventually.ts'
import { prompt, untilIs } from './engine-control-setting.ts'
import { type EngineScene, openEngineScene, type RunStep, runPlainly } from './engine-setting.ts'

const runStep: RunStep = async (run) =>
  run.step.type === 'wait_for_event'
    ? await runWaitForEvent({ ...run, step: run.step })
    : await runPlainly(run)

const paid = (id: string, more: object = {}) => ({
  id,
  type: 'wait_for_event',
  event: 'paid',
  correlation_key: 'order {{order}}',
  ...more,
})

async function saveOrder(
  scene: EngineScene,
  steps: readonly object[] = [paid('wait'), prompt('after', ['wait'])],
) {
  const { input, ...what } = await scene.save(steps)
  return { ...what, input: { ...input, context: { order: 7 } } }
}

const event = (accountId: string, more: object = {}) => ({
  id: randomUUID(),
  accountId,
  name: 'paid',
  key: 'order 7',
  data: { amount: 12 },
  ttlMs: 60_000,
  ...more,
})

const untilSuspended = (scene: EngineScene, id: string) =>
  eventually(async () => (await scene.read(id)).work_state === 'suspended')

async function expectReceived(scene: EngineScene, id: string): Promise<void> {
  await untilIs(scene, id, 'completed')
  expect((await scene.steps(id))['wait']?.output).toEqual({
    received: true,
    name: 'paid',
    key: 'order 7',
    data: { amount: 12 },
    at: expect.stringMatching(/Z$/),
  })
  expect(await scene.happened(id)).toEqual(expect.arrayContaining(['wait_opened', 'wait_closed']))
}

describe('an event and a wait for it meet', () => {
  test('when the wait comes first', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess({ runStep })
    const what = await saveOrder(scene)
    const { id } = await engine.executions.enqueue(what)
    await untilSuspended(scene, id)
    expect(await engine.events.send(event(what.accountId))).toEqual({ matched: 1 })
    await expectReceived(scene, id)
  })

  test('when the event comes first', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep })
    await worker.stop()
    const what = await saveOrder(scene)
    const { id } = await engine.executions.enqueue(what)
    expect(await engine.events.send(event(what.accountId))).toEqual({ matched: 0 })
    await scene.startProcess({ runStep })
    await expectReceived(scene, id)
    expect(await scene.happened(id)).not.toContain('execution_suspended')
  })

  test('when all processes stop between the wait and the event', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep })
    const what = await saveOrder(scene)
    const { id } = await engine.executions.enqueue(what)
    await untilSuspended(scene, id)
    await worker.stop()
    expect(await engine.events.send(event(what.accountId))).toEqual({ matched: 1 })
    await scene.startProcess({ runStep })
    await expectReceived(scene, id)
  })

  test('when a worker crashes after it has stored the wait, and before it has looked for the event', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep })
    await worker.stop()
    const what = await saveOrder(scene)
    const { id } = await engine.executions.enqueue(what)
    await engine.events.send(event(what.accountId))
    await scene.database.query(
      `
        with started as (update engine_executions set status = 'running', started_at = now() where id = $1)
        insert into engine_waits (
          id, execution_id, item, step_id, number, account_id, kind, wake_at, event_name, correlation_key, request, created_at
        )
        values ($2, $1, 0, 'wait', 1, $3, 'event', now() + interval '1 day', 'paid', 'order 7', '{}', now())
      `,
      [id, randomUUID(), what.accountId],
    )
    await scene.startProcess({ runStep })
    await untilIs(scene, id, 'completed')
    expect((await scene.steps(id))['wait']?.output).toMatchObject({ received: true, data: { amount: 12 } })
  })

  test('when both come at the same time, many times', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess({ runStep })
    const what = await saveOrder(scene)
    const ids = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const accountId = randomUUID()
        const { id } = await engine.executions.enqueue({ ...what, accountId })
        // The earlier ones meet an execution that is queued, the later ones one that runs or is suspended.
        await new Promise((resolve) => setTimeout(resolve, index))
        await engine.events.send(event(accountId))
        return id
      }),
    )
    for (const id of ids) await expectReceived(scene, id)
  })
})

test('an event continues all waits of its account with its name and key, and no others', async () => {
  await using scene = await openEngineScene()
  const { engine } = await scene.startProcess({ runStep })
  const what = await saveOrder(scene)
  const start = async (more: object = {}) => (await engine.executions.enqueue({ ...what, ...more })).id
  const [first, second] = [await start(), await start()]
  const others = [
    await start({ accountId: randomUUID() }),
    await start({ input: { ...what.input, context: { order: 8 } } }),
  ]
  for (const id of [first, second, ...others]) await untilSuspended(scene, id)
  expect(await engine.events.send(event(what.accountId, { name: 'refunded' }))).toEqual({ matched: 0 })
  expect(await engine.events.send(event(what.accountId))).toEqual({ matched: 2 })
  await untilIs(scene, first, 'completed')
  await untilIs(scene, second, 'completed')
  for (const id of others) expect((await scene.read(id)).work_state).toBe('suspended')
})

test('a second wait of an execution waits for the next event, and an older event is not found', async () => {
  await using scene = await openEngineScene()
  const { engine } = await scene.startProcess({ runStep })
  const what = await saveOrder(scene, [paid('first'), paid('second', { dependencies: ['first'] })])
  await engine.events.send(event(what.accountId, { data: 'before the execution' }))
  const { id } = await engine.executions.enqueue(what)
  await untilSuspended(scene, id)
  await engine.events.send(event(what.accountId, { data: 'one' }))
  await eventually(async () => Object.keys(await scene.steps(id)).length === 1)
  await untilSuspended(scene, id)
  await engine.events.send(event(what.accountId, { data: 'two' }))
  await untilIs(scene, id, 'completed')
  const { first, second } = await scene.steps(id)
  expect([first?.output, second?.output]).toMatchObject([{ data: 'one' }, { data: 'two' }])
})

describe('an event that is sent again answers what it did before, and closes no later wait', () => {
  test.each([60_000, 0])('kept for %i ms', async (ttlMs) => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess({ runStep })
    const what = await saveOrder(scene, [paid('first'), paid('second', { dependencies: ['first'] })])
    const sent = event(what.accountId, { ttlMs })
    const before = [await engine.executions.enqueue(what), await engine.executions.enqueue(what)]
    for (const { id } of before) await untilSuspended(scene, id)
    // Its process crashes after the commit: the sender gets no response, and sends it again.
    expect(await engine.events.send(sent)).toEqual({ matched: 2 })
    for (const { id } of before) await eventually(async () => 'first' in (await scene.steps(id)))
    const later = await engine.executions.enqueue(what)
    const all = [...before, later]
    for (const { id } of all) await untilSuspended(scene, id)

    expect(await engine.events.send(sent)).toEqual({ matched: 2 })
    const open = await scene.database.query<{ step_id: string }>(
      `select step_id from engine_waits where state = 'open' order by step_id`,
    )
    expect(open.map((wait) => wait.step_id)).toEqual(['first', 'second', 'second'])
    for (const { id } of all) expect((await scene.read(id)).work_state).toBe('suspended')
  })

  test('when both are sent at the same time', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess({ runStep })
    const what = await saveOrder(scene)
    const { id } = await engine.executions.enqueue(what)
    await untilSuspended(scene, id)
    const sent = event(what.accountId)
    const answers = await Promise.all([engine.events.send(sent), engine.events.send(sent)])
    expect(answers).toEqual([{ matched: 1 }, { matched: 1 }])
  })

  test('when the account keeps no further events', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess({ runStep })
    const sent = event(randomUUID())
    await engine.events.send(sent)
    await fillEvents(scene, sent.accountId)
    expect(await engine.events.send(sent)).toEqual({ matched: 0 })
  })

  test('a refused event is not recorded', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess({ runStep })
    const sent = event(randomUUID())
    await fillEvents(scene, sent.accountId)
    await expect(engine.events.send(sent)).rejects.toMatchObject({ code: 'too_many_events' })
    await scene.database.query('delete from engine_signals')
    await engine.events.send(sent)
    expect(await scene.database.query('select id from engine_signals')).toEqual([{ id: sent.id }])
  })

  test('until its record is deleted', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess({ runStep })
    const [old, recent] = [event(randomUUID()), event(randomUUID())]
    for (const sent of [old, recent]) await engine.events.send(sent)
    await scene.database.query(
      `update engine_signal_sends set sent_at = now() - interval '3 days' where id = $1`,
      [old.id],
    )
    await engine.tasks.find(({ name }) => name === 'engine.waits')?.run(new AbortController().signal)
    expect(await scene.database.query('select id from engine_signal_sends')).toEqual([{ id: recent.id }])
  })
})

/** As many events as an account keeps. */
async function fillEvents({ database }: EngineScene, accountId: string): Promise<void> {
  await database.query(
    `
      insert into engine_signals (id, account_id, event_name, correlation_key, data, expires_at)
      select gen_random_uuid(), $1, 'paid', number::text, 'null', now() + interval '1 day' from generate_series(1, 10000) as number
    `,
    [accountId],
  )
}

test('an event without a time to live is not kept, and an expired one is deleted', async () => {
  await using scene = await openEngineScene()
  const { engine } = await scene.startProcess({ runStep })
  const accountId = randomUUID()
  await engine.events.send(event(accountId, { ttlMs: 0 }))
  await engine.events.send(event(accountId))
  await scene.database.query(`update engine_signals set expires_at = now() - interval '1 second'`)
  await engine.events.send(event(accountId, { data: 'kept' }))
  await engine.tasks.find(({ name }) => name === 'engine.waits')?.run(new AbortController().signal)
  expect(await scene.database.query('select data from engine_signals')).toEqual([{ data: '"kept"' }])
})

test('an account keeps a bounded number of events, and others are not affected', async () => {
  await using scene = await openEngineScene()
  const { engine } = await scene.startProcess({ runStep })
  const accountId = randomUUID()
  await fillEvents(scene, accountId)
  await expect(engine.events.send(event(accountId))).rejects.toMatchObject({ code: 'too_many_events' })
  expect(await engine.events.send(event(accountId, { ttlMs: 0 }))).toEqual({ matched: 0 })
  expect(await engine.events.send(event(randomUUID()))).toEqual({ matched: 0 })
})

test('an event that does not arrive fails the step, or continues with the default', async () => {
  await using scene = await openEngineScene()
  const { engine } = await scene.startProcess({ runStep })
  const strict = await engine.executions.enqueue(await saveOrder(scene))
  const lenient = await engine.executions.enqueue(
    await saveOrder(scene, [paid('wait', { on_timeout: 'continue', default: { amount: 0 } })]),
  )
  for (const { id } of [strict, lenient]) await untilSuspended(scene, id)
  await scene.database.query('update engine_waits set wake_at = now()')
  await untilIs(scene, strict.id, 'failed')
  expect((await scene.read(strict.id)).error).toMatchObject({ code: 'WAIT_TIMED_OUT', step: 'wait' })
  await untilIs(scene, lenient.id, 'completed')
  expect((await scene.steps(lenient.id))['wait']?.output).toMatchObject({
    received: false,
    data: { amount: 0 },
  })
  expect((await engine.executions.read(lenient.id))?.events).toContainEqual(
    expect.objectContaining({
      type: 'log',
      data: expect.objectContaining({ details: { warning: 'event_timed_out' } }),
    }),
  )
})

test('a key without a value fails the step', async () => {
  await using scene = await openEngineScene()
  const { engine } = await scene.startProcess({ runStep })
  const { id } = await engine.executions.enqueue(
    await saveOrder(scene, [paid('wait', { correlation_key: '{{missing}}' })]),
  )
  await untilIs(scene, id, 'failed')
  expect((await scene.read(id)).error).toMatchObject({ code: 'INVALID_STEP' })
})
