import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEndLookup } from '#triggers'
import { runWaitForEvent } from '../../src/engine/steps/wait-for-event.ts'
import { runPlainly } from '../database/engine-setting.ts'
import { eventually } from '../support/eventually.ts'
import { createHook, executionsOf, followEvents, sendTo, untilEnd } from './triggers-setting.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'

let server: WorkflowsServer

beforeAll(async () => {
  server = await startWorkflowsServer({
    async runStep(run) {
      const { step } = run
      return step.type === 'wait_for_event' ? await runWaitForEvent({ ...run, step }) : await runPlainly(run)
    },
  })
})
afterAll(() => server?.[Symbol.asyncDispose]())

const hookBody = (more: object) => ({ kind: 'webhook', verification: { type: 'none' }, ...more })

const paid = { event: 'payment.received', correlation_key: '{{body.order.id}}' }

/** An execution that waits for the payment of an order. */
async function startWaiting(order: string): Promise<string> {
  const flow = await server.save([
    {
      id: 'payment',
      type: 'wait_for_event',
      event: 'payment.received',
      correlation_key: '{{order}}',
    },
  ])
  const started = await server.post('/execute-flow-async', {
    flow_id: flow,
    context: { content: '', order },
  })
  const id = String(started.body['execution_id'])
  await eventually(async () => (await server.engine.executions.read(id))?.suspended != null)
  return id
}

async function createSignalHook(more: object = {}) {
  const answer = await server.post('/triggers', hookBody({ signal: paid, ...more }))
  if (answer.status !== 201) throw new Error(answer.text)
  return { id: String(answer.body.trigger_id), url: String(answer.body.url), body: answer.body }
}

describe('a trigger that sends an event', () => {
  test('continues the execution that waits for it, with its input as data', async () => {
    const id = await startWaiting('order 1')
    const hook = await createSignalHook({ input: { amount: '{{body.amount}}' } })
    expect(hook.body).toMatchObject({ trigger: { flow_id: null, signal: paid } })
    const answer = await sendTo(hook, { order: { id: 'order 1' }, amount: 12.5 })
    expect(answer).toMatchObject({ status: 202, body: { success: true, event_id: expect.any(String) } })
    expect(answer.body).not.toHaveProperty('execution_id')
    await untilEnd(server, id)
    const record = await server.engine.executions.read(id)
    expect(record?.outcomes[0]?.output).toMatchObject({
      received: true,
      key: 'order 1',
      data: { amount: 12.5 },
    })
    expect((await server.call(`/triggers/${hook.id}`)).body).toMatchObject({
      last_outcome: 'signalled',
      counts: { started: 0, signalled: 1 },
    })
    expect(await executionsOf(server, hook.id)).toEqual([])
  })

  test('is kept for a step that waits later, and a repeated delivery sends it once', async () => {
    const hook = await createSignalHook({ delivery_id: '{{body.id}}' })
    const flow = await server.save([
      { id: 'first', type: 'wait_for_event', event: 'go', correlation_key: '{{order}}' },
      {
        id: 'payment',
        type: 'wait_for_event',
        event: 'payment.received',
        correlation_key: '{{order}}',
        dependencies: ['first'],
      },
    ])
    const started = await server.post('/execute-flow-async', {
      flow_id: flow,
      context: { content: '', order: 'order 2' },
    })
    const id = String(started.body['execution_id'])
    const first = await sendTo(hook, { id: 'd1', order: { id: 'order 2' } })
    const again = await sendTo(hook, { id: 'd1', order: { id: 'order 2' } })
    expect(again.body).toEqual(first.body)
    const [row] = await server.database.query<{ count: number }>(
      'select count(*)::integer as count from engine_signals where id = $1',
      [first.body['event_id']],
    )
    expect(row?.count).toBe(1)
    await server.post('/events', { name: 'go', correlation_key: 'order 2' })
    await untilEnd(server, id)
    const { body: deliveries } = await server.call(`/triggers/${hook.id}/deliveries`)
    expect(deliveries).toMatchObject({ total: 1, deliveries: [{ outcome: 'signalled', execution_id: null }] })
    const replayed = await server.post(`/triggers/${hook.id}/deliveries/d1/replay`, {})
    expect(replayed).toMatchObject({
      status: 202,
      body: { execution_id: null, event_id: expect.any(String) },
    })
    expect(replayed.body['event_id']).not.toBe(first.body['event_id'])
  })

  test('of another account does not reach the execution', async () => {
    const id = await startWaiting('order 3')
    const answer = await server.post('/triggers', hookBody({ signal: paid }), { as: 'otto' })
    await sendTo({ url: String(answer.body.url) }, { order: { id: 'order 3' } })
    const { body } = await server.post('/events', { name: 'payment.received', correlation_key: 'order 3' })
    expect(body).toMatchObject({ matched: 1 })
    await untilEnd(server, id)
  })

  test('refuses a request without a usable key', async () => {
    const hook = await createSignalHook()
    const answer = await sendTo(hook, { order: {} })
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'SIGNAL_KEY_INVALID' } } })
    expect((await server.call(`/triggers/${hook.id}`)).body).toMatchObject({
      last_outcome: 'refused',
      last_error: { code: 'SIGNAL_KEY_INVALID' },
    })
  })

  test.each([
    [{}, 'flow_id'],
    [{ signal: paid, flow_id: 'x' }, 'signal'],
    [{ signal: paid, priority: 'high' }, 'priority'],
    [{ signal: paid, respond: 'with_result' }, 'respond'],
    [{ signal: { ...paid, correlation_key: '{{steps.x}}' } }, 'signal.correlation_key'],
    [{ signal: { ...paid, event: 'a b' } }, 'signal.event'],
  ])('is refused with the field that is wrong: %j', async (more, path) => {
    const answer = await server.post('/triggers', hookBody(more))
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(`"path":"${path}"`)
  })

  test('may follow an event of the platform', async () => {
    // The first run only remembers the end of the log.
    await followEvents(server)
    const id = await startWaiting('done')
    const flow = await server.save([{ id: 'only', type: 'ai_prompt', prompt: 'x' }])
    // A trigger counts from its creation, although the account just had none.
    await server.post('/execute-flow', { flow_id: flow, context: { content: '' } })
    // Called after the platform, which listens at the same connection.
    const { promise: isKnown, resolve } = Promise.withResolvers<void>()
    await using _ = await createEndLookup(server.database).onChanged(() => resolve())
    const answer = await server.post('/triggers', {
      kind: 'event',
      events: ['flow.execution.completed'],
      filter: { expression: `event.flow_id == "${flow}" && event.result == "x"` },
      signal: { event: 'payment.received', correlation_key: 'done' },
      input: { text: '{{event.result}}' },
    })
    expect(answer.status).toBe(201)
    await isKnown
    await server.post('/execute-flow', { flow_id: flow, context: { content: '' } })
    await eventually(async () => {
      await followEvents(server)
      return (await server.engine.executions.read(id))?.finishedAt != null
    }, 200)
    const record = await server.engine.executions.read(id)
    expect(record?.outcomes[0]?.output).toMatchObject({ data: { text: 'x' } })
  })
})

describe('an expression in a filter', () => {
  test('decides which requests start the flow', async () => {
    const flow = await server.save([{ id: 'only', type: 'ai_prompt', prompt: 'x' }])
    const hook = await createHook(server, flow, {
      filter: {
        all: [
          { expression: 'body.items.filter(item, item.price > 100).size() > 0' },
          { not: { field: 'headers.x-topic', operator: '==', value: 'test' } },
        ],
      },
    })
    const dear = { items: [{ price: 5 }, { price: 500 }] }
    expect(await sendTo(hook, dear)).toMatchObject({ status: 202 })
    expect(await sendTo(hook, { items: [{ price: 5 }] })).toMatchObject({ body: { ignored: true } })
    expect(await sendTo(hook, { other: 1 })).toMatchObject({ body: { ignored: true } })
    expect(await sendTo(hook, { ...dear, at: 1 }, { 'x-topic': 'test' })).toMatchObject({
      body: { ignored: true },
    })
    expect(await sendTo(hook, { items: 'none' })).toMatchObject({
      status: 422,
      body: { error: { code: 'FILTER_FAILED' } },
    })
    expect(await executionsOf(server, hook.id)).toHaveLength(1)
  })

  test('is checked when the trigger is saved', async () => {
    const flow = await server.save([{ id: 'only', type: 'ai_prompt', prompt: 'x' }])
    const save = (filter: object) => server.post('/triggers', hookBody({ flow_id: flow, filter }))
    for (const [filter, path] of [
      [{ expression: 'body.' }, 'filter.expression'],
      [{ expression: 'steps.x == 1' }, 'filter.expression'],
      [{ any: [{ field: 'body.a' }] }, 'filter.any[0].operator'],
      [{}, 'filter.field'],
    ] as const) {
      const answer = await save(filter)
      expect(answer.status).toBe(400)
      expect(answer.text).toContain(`"path":"${path}"`)
    }
  })
})
