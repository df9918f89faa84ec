import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, type Receiver, startReceiver } from '../database/webhooks-receiver.ts'
import { eventually } from '../support/eventually.ts'
import { shareWebhooksServer, type WebhooksServer } from './webhooks-server.ts'

/** A receiver that fails the verification. */
async function silent(): Promise<Receiver> {
  const receiver = await startReceiver()
  receiver.reactToVerification(answer(200))
  return receiver
}

describe('webhooks', () => {
  let server: WebhooksServer
  let receiver: Receiver

  beforeAll(async () => {
    server = await shareWebhooksServer()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await receiver?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  const config = (more: object = {}) => ({
    webhook_config: { url: receiver.url, events: ['flow.step.completed'], ...more },
  })
  const untilStatus = (id: string, status: string) =>
    eventually(async () => (await server.call(`/webhooks/${id}`)).body.status === status, 25)

  test('one is created with all fields, is verified, and shows its secret once', async () => {
    const given = {
      secret: 'a-secret-that-nora-chose',
      events: ['flow.execution.started', 'flow.step.completed'],
      filters: { flow_ids: ['a'], min_cost: 0.25, priority: ['high'] },
      retry_policy: { max_attempts: 3, retry_delay: 2, exponential_backoff: false, timeout: 5 },
      format: {
        content_type: 'application/x-www-form-urlencoded',
        include_full_context: true,
        include_intermediate_results: true,
        compression: 'gzip',
      },
    }
    const made = await server.post('/webhooks', config(given))
    expect(made.status).toBe(201)
    const id = made.body.webhook_id
    expect(made.headers.get('location')).toBe(`/ai-workflows/api/webhooks/${id}`)
    expect(made.body).toEqual({
      success: true,
      webhook_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      webhook_url: receiver.url,
      events_subscribed: given.events,
      verification: {
        verification_required: true,
        verification_token: expect.stringMatching(/^[\w-]{43}$/),
        verification_url: `${server.url}/ai-workflows/api/webhooks/${id}/verify/${made.body.verification.verification_token}`,
        expires_at: made.body.created_at + 86_400,
      },
      status: 'pending_verification',
      created_at: expect.any(Number),
      secret: given.secret,
    })
    await untilStatus(id, 'active')
    // The delivery of the challenge is recorded a moment later.
    await eventually(
      async () => (await server.call(`/webhooks/${id}`)).body.last_delivery?.state === 'delivered',
      25,
    )
    const challenge = receiver.verifications.find(({ body }) => body.webhook_id === id)
    expect(challenge?.body).toEqual({
      event: 'webhook.verification',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timestamp: expect.any(Number),
      webhook_id: id,
      signature: expect.stringMatching(/^sha256=/),
    })
    const read = await server.call(`/webhooks/${id}`)
    expect(read.body).toMatchObject({
      webhook_id: id,
      webhook_url: receiver.url,
      events_subscribed: given.events,
      filters: given.filters,
      retry_policy: given.retry_policy,
      format: given.format,
      status: 'active',
      verified_at: expect.any(Number),
      verification_expires_at: null,
      disabled_reason: null,
      failing_since: null,
    })
    expect(JSON.stringify(read.body)).not.toContain(given.secret)
    const list = await server.call('/webhooks')
    expect(list.body.webhooks).toContainEqual(read.body)
    expect(JSON.stringify(list.body)).not.toContain(given.secret)
  })

  test('one of Orchestra is created in its own format', async () => {
    const body = {
      url: receiver.url,
      events: ['workflow.completed'],
      secret: 'a-secret-that-nora-chose',
      active: true,
      retry_config: { max_attempts: 2, retry_delay: 1, timeout: 3 },
    }
    const api = 'orchestra'
    const made = await server.post('/webhooks', body, { api })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      success: true,
      webhook_url: receiver.url,
      events_subscribed: ['workflow.completed'],
      verification: { verification_required: true },
      status: 'pending_verification',
    })
    expect(made.body.verification.verification_url).toContain('/ai-orchestra/api/webhooks/')
    const path = `/webhooks/${made.body.webhook_id}`
    const { url, events, active, retry_config } = (await server.call(path, { api })).body
    const { secret: _, ...given } = body
    expect({ url, events, active, retry_config }).toEqual(given)
    expect((await server.call(path)).status).toBe(404)
    expect((await server.post('/webhooks', config(), { api })).status).toBe(400)
    expect((await server.post('/webhooks', body)).status).toBe(400)
  })

  test('one whose URL does not respond is verified by its owner, once, and gets nothing before', async () => {
    await using quietOne = await silent()
    const made = await server.post('/webhooks', config({ url: quietOne.url }))
    const { webhook_id: id, verification } = made.body
    await eventually(() => quietOne.verifications.length === 1)
    const event = { event: 'flow.step.completed', subject: 's', accountId: server.idOf('nora'), data: {} }
    await server.webhooks.publish(server.database, [event])
    const wrong = await server.call(`/webhooks/${id}/verify/${'x'.repeat(43)}`, { as: '' })
    expect([wrong.status, wrong.body.error.code]).toEqual([404, 'VERIFICATION_INVALID'])
    const again = await server.post(`/webhooks/${id}/verify`)
    expect(again.body.verification.verification_token).not.toBe(verification.verification_token)
    expect((await server.call(verification.verification_url, { as: '' })).status).toBe(404)
    const verified = await server.call(again.body.verification.verification_url, { as: '' })
    expect(verified.body).toEqual({ success: true, webhook_id: id, status: 'active' })
    const twice = await server.post(`/webhooks/${id}/verify/${again.body.verification.verification_token}`)
    expect(twice.status).toBe(404)
    expect((await server.post(`/webhooks/${id}/verify`)).status).toBe(409)
    await server.webhooks.publish(server.database, [event])
    await quietOne.untilEvents(1)
    expect(quietOne.events).toHaveLength(1)
  })

  test('a token expires after a day, and the challenge with it', async () => {
    await using quietOne = await silent()
    const made = await server.post('/webhooks', config({ url: quietOne.url }))
    const { webhook_id: id, verification } = made.body
    await eventually(() => quietOne.verifications.length === 1)
    await server.database.query(`update webhooks set verification_expires_at = now() where id = $1`, [id])
    const late = await server.call(verification.verification_url, { method: 'POST', as: '' })
    expect([late.status, late.body.error.code]).toEqual([422, 'VERIFICATION_EXPIRED'])
    const again = await server.post(`/webhooks/${id}/verify`)
    expect((await server.call(again.body.verification.verification_url, { as: '' })).status).toBe(200)
  })

  test('one is replaced as a whole; another URL must be verified', async () => {
    const made = await server.post('/webhooks', config({ filters: { flow_ids: ['a'] } }))
    const id = made.body.webhook_id
    await untilStatus(id, 'active')
    const put = (body: unknown) => server.call(`/webhooks/${id}`, { method: 'PUT', body })
    expect((await put(config({ format: { compression: 'gzip' } }))).body).toMatchObject({
      status: 'active',
      verification: { verification_required: false, verification_token: null, verification_url: null },
    })
    expect((await server.call(`/webhooks/${id}`)).body).toMatchObject({
      filters: {},
      format: { compression: 'gzip' },
    })
    expect((await put(config({ active: false }))).body.status).toBe('disabled')
    expect((await server.call(`/webhooks/${id}`)).body.disabled_reason).toBe('owner')
    expect((await put(config())).body.status).toBe('disabled')
    expect((await put(config({ active: true }))).body.status).toBe('active')

    await using quietOne = await silent()
    const moved = await put(config({ url: quietOne.url }))
    expect(moved.body).toMatchObject({
      webhook_url: quietOne.url,
      status: 'pending_verification',
      verification: { verification_required: true, verification_token: expect.any(String) },
    })
    expect((await put(config({ url: quietOne.url, active: false }))).body.status).toBe('disabled')
    expect((await put(config({ url: quietOne.url, active: true }))).body.status).toBe('pending_verification')
  })

  test('a secret is rotated, to a new or a given one', async () => {
    const { body } = await server.post('/webhooks', config())
    const id = body.webhook_id
    const rotated = await server.post(`/webhooks/${id}/rotate-secret`)
    expect(rotated.body).toEqual({
      success: true,
      webhook_id: id,
      secret: expect.stringMatching(/^whsec_/),
      previous_secret_expires_at: expect.any(Number),
    })
    expect(rotated.body.secret).not.toBe(body.secret)
    const given = await server.post(`/webhooks/${id}/rotate-secret`, { secret: 'nora-chose-this-one' })
    expect(given.body.secret).toBe('nora-chose-this-one')
    expect((await server.call(`/webhooks/${id}`)).body.previous_secret_expires_at).toBe(
      given.body.previous_secret_expires_at,
    )
    expect(
      (await server.post(`/webhooks/${id}/rotate-secret`, { secret: 'has some spaces in it' })).status,
    ).toBe(400)
  })

  test('deliveries are listed with request and response, and redelivered', async () => {
    await using failing = await startReceiver()
    failing.react(answer(500))
    const made = await server.post(
      '/webhooks',
      config({ url: failing.url, retry_policy: { max_attempts: 1 }, events: ['flow.execution.completed'] }),
    )
    const id = made.body.webhook_id
    await untilStatus(id, 'active')
    const publish = (subject: string) =>
      server.webhooks.publish(server.database, [
        { event: 'flow.execution.completed', subject, accountId: server.idOf('nora'), data: { subject } },
      ])
    for (const subject of ['one', 'two', 'three']) await publish(subject)
    const dead = () => server.call(`/webhooks/${id}/deliveries?state=dead`)
    await eventually(async () => (await dead()).body.total === 3, 25)
    const { body } = await dead()
    expect(body.deliveries[0]).toEqual({
      delivery_id: failing.events.find((it) => it.body.data.subject === 'one')?.headers['webhook-id'],
      event: 'flow.execution.completed',
      subject: 'one',
      timestamp: expect.any(Number),
      state: 'dead',
      reason: 'attempts_exhausted',
      attempts: 1,
      next_attempt_at: null,
      created_at: expect.any(Number),
      finished_at: expect.any(Number),
      last_attempt: {
        attempted_at: expect.any(Number),
        duration: expect.any(Number),
        request: {
          url: failing.url,
          headers: expect.objectContaining({ 'webhook-id': body.deliveries[0].delivery_id }),
          body: failing.events.find((it) => it.body.data.subject === 'one')?.body,
          bytes: expect.any(Number),
        },
        response: { status: 500, headers: expect.any(Object), body: 'so it is' },
        error: { code: 'not_accepted', message: 'The receiver responded with 500.' },
      },
    })
    const one = `/webhooks/${id}/deliveries/${body.deliveries[0].delivery_id}`
    expect((await server.call(one)).body).toEqual(body.deliveries[0])
    const paged = await server.call(
      `/webhooks/${id}/deliveries?order=newest&limit=1&page=2&event=flow.execution.completed`,
    )
    expect(paged.body).toMatchObject({ total: 3, deliveries: [{ subject: 'two' }] })
    const asOf = body.as_of
    await publish('four')
    const still = await server.call(
      `/webhooks/${id}/deliveries?order=newest&limit=1&as_of=${asOf}&event=flow.execution.completed`,
    )
    expect(still.body.deliveries[0].subject).toBe('three')
    await eventually(async () => (await dead()).body.total === 4, 25)

    failing.react(answer(200))
    const again = await server.post(`${one}/redeliver`)
    expect(again.status).toBe(202)
    await eventually(async () => (await server.call(one)).body.state === 'delivered', 25)
    const none = await server.post(`/webhooks/${id}/redeliver`, { to: 1 })
    expect(none.body).toMatchObject({ redelivered: 0, more: false })
    const range = await server.post(`/webhooks/${id}/redeliver`)
    expect(range.body).toEqual({ success: true, webhook_id: id, redelivered: 3, more: false })
    const arrived = `/webhooks/${id}/deliveries?state=delivered&event=flow.execution.completed`
    await eventually(async () => (await server.call(arrived)).body.total === 4, 25)
    const all = await server.post(`/webhooks/${id}/redeliver`, { from: 1, state: 'all' })
    expect(all.body.redelivered).toBe(4)
  })

  test('one is deleted, with its pending deliveries', async () => {
    const { body } = await server.post('/webhooks', config())
    const path = `/webhooks/${body.webhook_id}`
    const gone = await server.call(path, { method: 'DELETE' })
    expect(gone.body).toEqual({ success: true, webhook_id: body.webhook_id, status: 'deleted' })
    expect((await server.call(path)).status).toBe(404)
    expect((await server.call(path, { method: 'DELETE' })).status).toBe(404)
  })
})
