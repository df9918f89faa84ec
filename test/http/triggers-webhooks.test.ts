import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHook, executionsOf, sendTo, untilEnd } from './triggers-setting.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

let server: WorkflowsServer
const obedient = createObedientSteps()

beforeAll(async () => {
  server = await startWorkflowsServer({ runStep: obedient.runStep })
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(() => obedient.reset())

describe('a webhook', () => {
  test('starts its flow with the mapped input', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const hook = await createHook(server, flow, {
      label: 'Orders',
      input: {
        order: '{{body.order}}',
        title: 'Order {{body.order.id}} of {{query.shop}}',
        topic: '{{headers.x-topic}}',
        at: '{{received_at}}',
      },
    })
    const answer = await sendTo(
      { url: `${hook.url}?shop=north` },
      { order: { id: 7, paid: true } },
      { 'x-topic': 'paid' },
    )
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({ success: true, execution_id: expect.any(String) as string })
    const record = await server.engine.executions.read(answer.body.execution_id)
    expect(record).toMatchObject({
      accountId: server.idOf('nora'),
      triggerId: hook.id,
      input: { context: { order: { id: 7, paid: true }, title: 'Order 7 of north', topic: 'paid' } },
    })
    expect(Date.parse(String(record?.input.context['at']))).toBeGreaterThan(Date.now() - 60_000)
    const { body: list } = await server.call(`/executions?trigger_id=${hook.id}`)
    expect(list.executions).toMatchObject([{ trigger_id: hook.id }])
  })

  test('accepts form fields and text', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const hook = await createHook(server, flow, { input: { given: '{{body}}' } })
    const form = await sendTo(hook, 'a=1&b=2', { 'content-type': 'application/x-www-form-urlencoded' })
    const text = await sendTo(hook, 'a text', { 'content-type': 'text/plain' })
    const contexts = await Promise.all(
      [form, text].map(
        async ({ body }) => (await server.engine.executions.read(body.execution_id))?.input.context,
      ),
    )
    expect(contexts).toEqual([{ given: { a: '1', b: '2' } }, { given: 'a text' }])
  })

  test('responds with the result', async () => {
    const flow = await server.save([prompt('only', 'speak The answer')])
    const plain = await createHook(server, flow, { respond: 'with_result' })
    const answer = await sendTo(plain, { x: 1 })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ success: true, status: 'completed', result: 'The answer' })
    const shaped = await createHook(server, flow, {
      respond: 'with_result',
      response: { text: '{{result}} for {{body.x}}', id: '{{execution_id}}' },
    })
    const { body } = await sendTo(shaped, { x: 1 })
    expect(body).toEqual({ text: 'The answer for 1', id: expect.any(String) as string })
  })

  test('responds with the failure of the execution, and with its reason to verified senders only', async () => {
    const flow = await server.save([prompt('only', 'fail EXTERNAL_API_FAILED')])
    const verification = { type: 'header', header: 'X-Key' }
    const verified = await createHook(server, flow, { respond: 'with_result', verification })
    const told = await sendTo(verified, {}, { 'x-key': verified.secret })
    expect([told.status, told.body.error.code]).toEqual([422, 'EXECUTION_FAILED'])
    expect(told.body.error.message).toContain('It would not.')
    expect(told.body.error.details).toMatchObject({ status: 'failed', code: 'EXTERNAL_API_FAILED' })

    const open = await createHook(server, flow, { respond: 'with_result' })
    const { status, body } = await sendTo(open, {})
    expect([status, body.error.code]).toEqual([422, 'EXECUTION_FAILED'])
    expect(body.error.message).toBe('The execution has failed.')
    const [execution] = await executionsOf(server, open.id)
    expect(body.error.details).toEqual({ execution_id: execution?.id, status: 'failed' })
  })

  test('answers requests that the filter excludes, and starts nothing', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const hook = await createHook(server, flow, {
      filter: { field: 'body.action', operator: '==', value: 'opened' },
    })
    const ignored = await sendTo(hook, { action: 'closed' })
    expect([ignored.status, ignored.body]).toEqual([200, { success: true, ignored: true }])
    expect((await sendTo(hook, { action: 'opened' })).status).toBe(202)
    expect(await executionsOf(server, hook.id)).toHaveLength(1)
    const { body } = await server.call(`/triggers/${hook.id}`)
    expect(body).toMatchObject({ counts: { started: 1, ignored: 1, refused: 0 }, last_outcome: 'started' })
  })

  test('answers a repeated request as the first, also when both come at once', async () => {
    const flow = await server.save([prompt('only', 'speak Once')])
    const hook = await createHook(server, flow, {
      verification: { type: 'github' },
      respond: 'with_result',
    })
    const body = JSON.stringify({ n: 1 })
    const headers = {
      'x-hub-signature-256': `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`,
      'x-github-delivery': randomUUID(),
    }
    const answers = await Promise.all([1, 2, 3].map(() => sendTo(hook, body, headers)))
    answers.push(await sendTo(hook, body, headers))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body: { execution_id } }) => execution_id as string)).size).toBe(1)
    expect(await executionsOf(server, hook.id)).toHaveLength(1)
  })

  test('of equal signed bodies starts nothing new, except when the filter excluded the first', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const hook = await createHook(server, flow, {
      verification: { type: 'github' },
      filter: { field: 'headers.x-github-event', operator: '==', value: 'push' },
      input: { event: '{{headers.x-github-event}}' },
    })
    const body = JSON.stringify({ n: 1 })
    const signature = `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`
    const sendAs = (event: string) =>
      sendTo(hook, body, {
        'x-hub-signature-256': signature,
        'x-github-delivery': randomUUID(),
        'x-github-event': event,
      })
    for (const event of ['ping', 'ping']) expect((await sendAs(event)).body).toMatchObject({ ignored: true })
    const started = await sendAs('push')
    expect(started.status).toBe(202)
    for (const event of ['push', 'ping']) expect((await sendAs(event)).body).toEqual(started.body)
    const [execution] = await executionsOf(server, hook.id)
    expect(execution?.id).toBe(started.body.execution_id)
    const { body: trigger } = await server.call(`/triggers/${hook.id}`)
    expect(trigger.counts).toMatchObject({ started: 1, ignored: 1, refused: 0 })
    const { body: list } = await server.call(`/triggers/${hook.id}/deliveries`)
    expect(list).toMatchObject({ total: 1, deliveries: [{ outcome: 'started' }] })
    const replayed = await server.post(
      `/triggers/${hook.id}/deliveries/${list.deliveries[0].delivery_id}/replay`,
    )
    expect((await server.engine.executions.read(replayed.body.execution_id))?.input.context).toEqual({
      event: 'push',
    })
  })

  test('recognises a repeated request of an unknown sender by its content, or by a template', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const byContent = await createHook(server, flow, {})
    await sendTo(byContent, { n: 1 })
    await sendTo(byContent, { n: 1 })
    await sendTo(byContent, { n: 2 })
    expect(await executionsOf(server, byContent.id)).toHaveLength(2)
    const byTemplate = await createHook(server, flow, { delivery_id: 'order-{{body.id}}' })
    await sendTo(byTemplate, { id: 7, sent: 1 })
    await sendTo(byTemplate, { id: 7, sent: 2 })
    expect(await executionsOf(server, byTemplate.id)).toHaveLength(1)
    const { body } = await server.call(`/triggers/${byTemplate.id}/deliveries`)
    expect(body).toMatchObject({
      total: 1,
      deliveries: [{ delivery_id: 'order-7', outcome: 'started', replayable: true, error: null }],
    })
  })

  test('answers the challenge of Slack', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const secret = 'a-signing-secret-of-slack'
    const hook = await createHook(server, flow, { verification: { type: 'slack', secret } })
    expect(hook.secret).toBeNull()
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    const time = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')
    const answer = await sendTo(hook, body, {
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${signature}`,
    })
    expect([answer.status, answer.body]).toEqual([200, { challenge: 'abc' }])
    expect(await executionsOf(server, hook.id)).toEqual([])
  })

  test('can be replayed with the input as it is now', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const hook = await createHook(server, flow, {
      input: { wrong: '{{body.x}}' },
      delivery_id: '{{body.id}}',
    })
    await sendTo(hook, { id: 'a', x: 5 })
    const changed = await server.call(`/triggers/${hook.id}`, {
      method: 'PUT',
      body: {
        kind: 'webhook',
        flow_id: flow,
        verification: { type: 'none' },
        input: { right: '{{body.x}}' },
        delivery_id: '{{body.id}}',
      },
    })
    expect(changed.status).toBe(200)
    const { status, body } = await server.post(`/triggers/${hook.id}/deliveries/a/replay`)
    expect(status).toBe(202)
    const record = await server.engine.executions.read(body.execution_id)
    expect(record?.input.context).toEqual({ right: 5 })
    const missing = await server.post(`/triggers/${hook.id}/deliveries/b/replay`)
    expect([missing.status, missing.body.error.code]).toEqual([404, 'DELIVERY_NOT_FOUND'])
    await server.database.query('update trigger_deliveries set request = null')
    const gone = await server.post(`/triggers/${hook.id}/deliveries/a/replay`)
    expect([gone.status, gone.body.error.code]).toEqual([409, 'DELIVERY_NOT_KEPT'])
  })

  test('waits for approval where the flow requires it', async () => {
    const flow = await server.save([prompt('only', 'One')], { metadata: { approval_required: true } })
    const hook = await createHook(server, flow, {})
    const { body } = await sendTo(hook, {})
    expect(await server.engine.executions.read(body.execution_id)).toMatchObject({ approval: 'pending' })
  })

  test('whose flow was deleted is gone, and a later request may succeed', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const hook = await createHook(server, flow, { delivery_id: '{{body.id}}' })
    await server.engine.flows.remove(flow)
    const { status, body } = await sendTo(hook, { id: 'x' })
    expect([status, body.error.code]).toEqual([410, 'TRIGGER_GONE'])
    const { body: trigger } = await server.call(`/triggers/${hook.id}`)
    expect(trigger).toMatchObject({ last_outcome: 'refused', last_error: { code: 'TRIGGER_GONE' } })
    await server.database.query('update engine_flows set deleted_at = null where id = $1', [flow])
    expect((await sendTo(hook, { id: 'x' })).status).toBe(202)
  })

  test('is limited to sixty requests a minute', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const hook = await createHook(server, flow, {})
    const answers = await Promise.all(Array.from({ length: 65 }, (_, n) => sendTo(hook, { n })))
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited).toHaveLength(5)
    expect(limited[0]?.body.error.code).toBe('RATE_LIMIT_EXCEEDED')
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('managing triggers', () => {
  test('creates, lists, changes, rotates and deletes them, with a trail in the audit log', async () => {
    const flow = await server.save([prompt('only', 'One')])
    const created = await server.post('/triggers', {
      kind: 'webhook',
      flow_id: flow,
      verification: { type: 'hmac', header: 'X-Sig', prefix: 'sha256=' },
      input: { a: 1 },
    })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      url: expect.stringMatching(/\/ai-workflows\/api\/hooks\/[\w-]{43}$/) as string,
      secret: expect.stringMatching(/^[\w-]{43}$/) as string,
      trigger: {
        kind: 'webhook',
        respond: 'at_once',
        verification: { type: 'hmac', header: 'X-Sig', prefix: 'sha256=' },
        enabled: true,
        priority: 'normal',
      },
    })
    const id: string = created.body.trigger_id
    const { body: list } = await server.call(`/triggers?flow_id=${flow}`)
    expect(list).toMatchObject({ total: 1, triggers: [{ trigger_id: id }] })
    expect(JSON.stringify(list)).not.toContain(created.body.secret)
    const rotated = await server.post(`/triggers/${id}/rotate`, { part: 'url' })
    expect(rotated.body).toMatchObject({ secret: null })
    expect(rotated.body.url).not.toBe(created.body.url)
    expect((await sendTo(created.body, {})).status).toBe(404)
    expect((await sendTo(rotated.body, {})).status).toBe(401)
    const secret = await server.post(`/triggers/${id}/rotate`, { part: 'secret' })
    expect(secret.body.secret).not.toBe(created.body.secret)
    const signature = createHmac('sha256', secret.body.secret).update('{}').digest('hex')
    expect((await sendTo(rotated.body, '{}', { 'x-sig': `sha256=${signature}` })).status).toBe(202)
    const disabled = await server.call(`/triggers/${id}`, {
      method: 'PUT',
      body: {
        kind: 'webhook',
        flow_id: flow,
        verification: { type: 'hmac', header: 'X-Sig', prefix: 'sha256=' },
        enabled: false,
      },
    })
    expect(disabled.body).toMatchObject({ trigger: { enabled: false, input: {} }, url: null, secret: null })
    expect((await sendTo(rotated.body, '{}', { 'x-sig': `sha256=${signature}` })).status).toBe(404)
    const deleted = await server.call(`/triggers/${id}`, { method: 'DELETE' })
    expect(deleted.body).toEqual({ success: true, trigger_id: id, status: 'deleted' })
    expect((await server.call(`/triggers/${id}`)).status).toBe(404)
    const { events } = await server.events.read({
      after: 0,
      limit: 100,
      subject: id,
    })
    expect(events.map(({ type, data }) => [type, data['by']])).toEqual(
      ['created', 'rotated', 'rotated', 'changed', 'deleted'].map((what) => [
        `triggers.${what}`,
        server.idOf('nora'),
      ]),
    )
  })

  test('hides them from other accounts, except from managers', async () => {
    const hook = await createHook(server, await server.save([prompt('only', 'One')]), {})
    for (const [as, status] of [
      ['otto', 404],
      ['mara', 200],
      ['vera', 403],
      ['', 401],
    ] as const) {
      expect((await server.call(`/triggers/${hook.id}`, { as })).status).toBe(status)
      expect((await server.call(`/triggers/${hook.id}/deliveries`, { as })).status).toBe(status)
    }
    expect((await server.call(`/triggers?account=${server.idOf('nora')}`, { as: 'otto' })).status).toBe(403)
    const { body } = await server.call('/triggers', { as: 'otto' })
    expect(body.total).toBe(0)
  })

  const webhook = { kind: 'webhook', verification: { type: 'none' } }
  test.each([
    [{ kind: 'webhook' }, 400, 'verification'],
    [{ kind: 'cron' }, 400, 'kind'],
    [{ ...webhook, events: ['flow.execution.failed'] }, 400, 'events'],
    [{ ...webhook, response: { a: 1 } }, 400, 'response'],
    [{ ...webhook, input: { a: '{{steps.x}}' } }, 400, 'input'],
    [{ ...webhook, filter: { field: 'event.x', operator: 'exists' } }, 400, 'filter.field'],
    [{ ...webhook, verification: { type: 'stripe' } }, 400, 'verification.secret'],
    [{ ...webhook, verification: { type: 'hmac' } }, 400, 'verification.header'],
    [{ ...webhook, verification: { type: 'github', header: 'x' } }, 400, 'verification.header'],
    [{ ...webhook, verification: { type: 'header', header: 'a b' } }, 400, 'verification.header'],
    [{ ...webhook, verification: { type: 'github', secret: 'short' } }, 400, 'verification.secret'],
    [{ kind: 'event' }, 400, 'events'],
    [{ kind: 'event', events: ['no.such_event'] }, 400, 'events[0]'],
    [{ kind: 'event', events: ['flow.execution.failed'], respond: 'at_once' }, 400, 'respond'],
    [{ kind: 'event', events: ['identity.signed_in'] }, 403, undefined],
    [{ ...webhook, flow_id: 'nowhere' }, 404, undefined],
  ])('refuses %j', async (body, status, path) => {
    const flow = await server.save([prompt('only', 'One')])
    const answer = await server.post('/triggers', { flow_id: flow, ...body })
    expect([answer.status, answer.body.error.details.problems?.[0]?.path]).toEqual([status, path])
  })
})

test('a request that waits for its result is answered when the execution ends', async () => {
  const flow = await server.save([prompt('only', 'wait hook')])
  const hook = await createHook(server, flow, { respond: 'with_result' })
  const answer = sendTo(hook, { n: 1 })
  await obedient.reached('hook')
  obedient.release('hook')
  const { status, body } = await answer
  expect(status).toBe(200)
  await untilEnd(server, body.execution_id)
})
