import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, type Receiver, startReceiver } from '../database/webhooks-receiver.ts'
import { eventually } from '../support/eventually.ts'
import { shareWebhooksServer, type WebhooksServer } from './webhooks-server.ts'

describe('a test event', () => {
  let server: WebhooksServer
  let receiver: Receiver

  beforeAll(async () => {
    server = await shareWebhooksServer()
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  const configs = {
    workflows: (more: object = {}) => ({
      webhook_config: { url: receiver.url, events: ['flow.execution.completed'], ...more },
    }),
    orchestra: (more: object = {}) => ({ url: receiver.url, events: ['workflow.failed'], ...more }),
  } as const

  async function subscribe(api: 'workflows' | 'orchestra', more: object = {}): Promise<string> {
    const made = await server.post('/webhooks', configs[api](more), { api })
    expect(made.status).toBe(201)
    const id: string = made.body.webhook_id
    await eventually(async () => (await server.call(`/webhooks/${id}`, { api })).body.status === 'active', 25)
    return id
  }

  const finished = async (id: string, delivery: string, api: 'workflows' | 'orchestra' = 'workflows') => {
    let found = await server.call(`/webhooks/${id}/deliveries/${delivery}`, { api })
    await eventually(async () => {
      found = await server.call(`/webhooks/${id}/deliveries/${delivery}`, { api })
      return found.body.state !== 'pending'
    }, 25)
    return found.body
  }

  test('is sent signed and marked in both APIs, whatever the filters are, and becomes the last result', async () => {
    await using own = await startReceiver()
    receiver = own
    const id = await subscribe('workflows', { name: 'Billing', filters: { min_cost: 1000 } })
    // The delivery of the challenge is recorded a moment after the webhook is active.
    await expect
      .poll(async () => (await server.call(`/webhooks/${id}`)).body)
      .toMatchObject({
        name: 'Billing',
        last_delivery: {
          id: expect.any(String),
          event: 'webhook.verification',
          state: 'delivered',
          status_code: 200,
          attempted_at: expect.any(Number),
          error: null,
        },
      })
    const sent = await server.post(`/webhooks/${id}/test`)
    expect([sent.status, sent.body]).toEqual([
      202,
      { success: true, webhook_id: id, event: 'webhook.test', delivery_id: expect.any(String) },
    ])
    await own.untilEvents(1)
    expect(own.events[0]?.body).toEqual({
      event: 'webhook.test',
      timestamp: expect.any(Number),
      webhook_id: id,
      test: true,
      data: { message: 'This is a test event. Nothing happened.' },
      signature: expect.stringMatching(/^sha256=/),
    })
    expect(await finished(id, sent.body.delivery_id)).toMatchObject({
      subject: 'webhook.test',
      state: 'delivered',
      attempts: 1,
      last_attempt: { response: { status: 204 }, request: { body: { test: true } } },
    })
    const listed = (await server.call('/webhooks')).body.webhooks.find(
      (one: { webhook_id: string }) => one.webhook_id === id,
    )
    expect(listed.last_delivery).toMatchObject({
      id: sent.body.delivery_id,
      event: 'webhook.test',
      state: 'delivered',
      status_code: 204,
    })

    const orchestra = await subscribe('orchestra', { name: 'Pager' })
    const other = await server.post(
      `/webhooks/${orchestra}/test`,
      { event: 'workflow.failed' },
      { api: 'orchestra' },
    )
    expect(other.status).toBe(202)
    await own.untilEvents(2)
    expect(own.events[1]?.body).toMatchObject({
      event: 'workflow.failed',
      test: true,
      data: { status: 'failed', error: { code: 'PROVIDER_UNAVAILABLE' } },
    })
    expect((await server.call(`/webhooks/${orchestra}`, { api: 'orchestra' })).body.name).toBe('Pager')
  })

  test('that fails is not retried, does not count as a failure of the webhook, and is not redelivered with others', async () => {
    await using own = await startReceiver()
    receiver = own
    const id = await subscribe('workflows')
    own.react(answer(503))
    const sent = await server.post(`/webhooks/${id}/test`, { event: 'flow.execution.completed' })
    expect(await finished(id, sent.body.delivery_id)).toMatchObject({
      state: 'dead',
      reason: 'attempts_exhausted',
      attempts: 1,
      last_attempt: { response: { status: 503, body: 'so it is' }, error: { code: 'not_accepted' } },
    })
    own.react(answer(410))
    const gone = await server.post(`/webhooks/${id}/test`)
    expect(await finished(id, gone.body.delivery_id)).toMatchObject({ state: 'dead', reason: 'gone' })
    expect((await server.call(`/webhooks/${id}`)).body).toMatchObject({
      status: 'active',
      failing_since: null,
      last_delivery: { state: 'dead', status_code: 410, error: 'The receiver responded with 410.' },
    })
    const again = await server.post(`/webhooks/${id}/redeliver`, { state: 'all' })
    expect(again.body.redelivered).toBe(0)
    expect(own.events).toHaveLength(2)
  })

  test('is refused for a webhook that is not active, of another account, or with an unknown event', async () => {
    await using own = await startReceiver()
    receiver = own
    const id = await subscribe('workflows')
    const unknown = await server.post(`/webhooks/${id}/test`, { event: 'workflow.failed' })
    expect(unknown.status).toBe(400)
    expect((await server.post(`/webhooks/${id}/test`, {}, { as: 'otto' })).status).toBe(404)
    expect((await server.post(`/webhooks/${id}/test`, {}, { as: 'vera' })).status).toBe(403)
    expect((await server.post(`/webhooks/${id}/test`, {}, { api: 'orchestra' })).status).toBe(404)
    await server.call(`/webhooks/${id}`, { method: 'PUT', body: configs.workflows({ active: false }) })
    const disabled = await server.post(`/webhooks/${id}/test`)
    expect([disabled.status, disabled.body.error.code]).toEqual([409, 'WEBHOOK_NOT_ACTIVE'])
    expect(disabled.body.error.message).toContain('Enable it first')
    own.reactToVerification(answer(200))
    const made = await server.post('/webhooks', configs.workflows())
    const unverified = await server.post(`/webhooks/${made.body.webhook_id}/test`)
    expect(unverified.status).toBe(409)
    expect(unverified.body.error.message).toContain('not verified')
    expect(own.events).toHaveLength(0)
  })

  test('a name is one to a hundred characters, and a replaced webhook without one has none', async () => {
    await using own = await startReceiver()
    receiver = own
    for (const name of ['', '   ', 'a\u0000b', 'x'.repeat(101), 5]) {
      expect((await server.post('/webhooks', configs.workflows({ name }))).status, String(name)).toBe(400)
    }
    const id = await subscribe('workflows', { name: 'x'.repeat(100) })
    await server.call(`/webhooks/${id}`, { method: 'PUT', body: configs.workflows({ name: 'Näme 🎺' }) })
    expect((await server.call(`/webhooks/${id}`)).body.name).toBe('Näme 🎺')
    await server.call(`/webhooks/${id}`, { method: 'PUT', body: configs.workflows() })
    expect((await server.call(`/webhooks/${id}`)).body.name).toBeNull()
  })
})
