import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../database/webhooks-receiver.ts'
import { eventually } from '../support/eventually.ts'
import { shareWebhooksServer, startWebhooksServer, type WebhooksServer } from './webhooks-server.ts'

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

  test('webhooks of another account are not found', async () => {
    const { body } = await server.post('/webhooks', config())
    const id = body.webhook_id
    await untilStatus(id, 'active')
    const [delivery] = (await server.call(`/webhooks/${id}/deliveries`)).body.deliveries
    const calls: readonly [string, string, unknown?][] = [
      ['GET', `/webhooks/${id}`],
      ['PUT', `/webhooks/${id}`, config()],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/verify`],
      ['POST', `/webhooks/${id}/rotate-secret`],
      ['GET', `/webhooks/${id}/deliveries`],
      ['GET', `/webhooks/${id}/deliveries/${delivery.delivery_id}`],
      ['POST', `/webhooks/${id}/deliveries/${delivery.delivery_id}/redeliver`],
      ['POST', `/webhooks/${id}/redeliver`],
    ]
    for (const [method, path, sent] of calls) {
      const theirs = await server.call(path, { method, body: sent, as: 'otto' })
      expect([method, path, theirs.status, theirs.body.error.code]).toEqual([
        method,
        path,
        404,
        'WEBHOOK_NOT_FOUND',
      ])
      expect((await server.call(path, { method, body: sent, as: 'vera' })).status).toBe(403)
      expect((await server.call(path, { method, body: sent, as: '' })).status).toBe(401)
    }
    expect((await server.call('/webhooks', { as: 'otto' })).body).toEqual({ webhooks: [], total: 0 })
    const mine = (await server.post('/webhooks', config(), { as: 'otto' })).body.webhook_id
    const foreign = `/webhooks/${mine}/deliveries/${delivery.delivery_id}`
    expect((await server.call(foreign, { as: 'otto' })).body.error.code).toBe('DELIVERY_NOT_FOUND')
  })

  test.for([
    ['http://127.0.0.1.nip.io.invalid/', 422],
    ['http://10.1.2.3/hook', 422],
    ['http://[::1]/hook', 422],
    ['http://169.254.169.254/latest', 422],
    ['http://database.internal/hook', 422],
    ['ftp://example.com/', 400],
    ['http://user:password@example.com/', 400],
    ['no address', 400],
    ['http://', 400],
    ['https://exa mple.com/', 400],
    ['http://example.com:99999/', 400],
    ['', 400],
    [7, 400],
  ] as const)('%s is refused as a URL', async ([url, status]) => {
    const refused = await server.post('/webhooks', config({ url }))
    expect(refused.status).toBe(status)
    expect(refused.body.error.message.length).toBeGreaterThan(10)
    expect(refused.body.error.details.problems[0].path).toBe('webhook_config.url')
  })

  test('an invalid field is reported by its path', async () => {
    const placeOf = async (path: string, method: string, change: object) => {
      const { body } = await server.call(path, { method, body: config(change) })
      return body.error.details.problems.map(({ path: place }: { path: string }) => place)
    }
    const { body } = await server.post('/webhooks', config())
    for (const [path, method] of [
      ['/webhooks', 'POST'],
      [`/webhooks/${body.webhook_id}`, 'PUT'],
    ] as const) {
      expect(await placeOf(path, method, { url: 'http://10.1.2.3/' })).toEqual(['webhook_config.url'])
      expect(await placeOf(path, method, { secret: 'ü'.repeat(20) })).toEqual(['webhook_config.secret'])
    }
    const orchestra = await server.post(
      '/webhooks',
      { url: 'http://10.1.2.3/', events: ['workflow.failed'] },
      { api: 'orchestra' },
    )
    expect(orchestra.body.error.details.problems).toMatchObject([{ path: 'url' }])
  })

  test.for<[string, unknown]>([
    ['no body', undefined],
    ['a text', 'x'],
    ['no config', {}],
    ['an unknown event', { events: ['workflow.completed'] }],
    ['no event', { events: [] }],
    ['an event twice', { events: ['flow.step.completed', 'flow.step.completed'] }],
    ['an unknown field', { colour: 'red' }],
    ['too many tries', { retry_policy: { max_attempts: 21 } }],
    ['too long a time', { retry_policy: { timeout: 31 } }],
    ['another content type', { format: { content_type: 'text/xml' } }],
    ['another compression', { format: { compression: 'br' } }],
    ['a negative cost', { filters: { min_cost: -1 } }],
    ['another priority', { filters: { priority: ['now'] } }],
    ['a short secret', { secret: 'short' }],
    ['a secret with NUL', { secret: 'x'.repeat(16) + '\0' }],
  ])('%s is refused with the reason', async ([, change]) => {
    const body =
      typeof change === 'object' && change !== null && Object.keys(change).length > 0
        ? config(change)
        : change
    const refused = await server.post('/webhooks', body)
    expect(refused.status).toBe(400)
    expect(refused.body.error.code).toBe('VALIDATION_FAILED')
  })

  test.for(['x', '00000000-0000-0000-0000-000000000000', "'; drop table webhooks"])(
    '%s is no id',
    async (id) => {
      const path = `/webhooks/${encodeURIComponent(id)}`
      expect((await server.call(path)).status).toBe(404)
      expect((await server.call(path, { method: 'PUT', body: config() })).status).toBe(404)
      expect((await server.call(path, { method: 'DELETE' })).status).toBe(404)
      expect((await server.call(`${path}/verify/x`)).status).toBe(404)
      expect((await server.post(`${path}/rotate-secret`)).status).toBe(404)
      expect((await server.post(`${path}/redeliver`)).status).toBe(404)
    },
  )

  test('an option without effect is refused with the reason', async () => {
    const { body } = await server.post('/webhooks', config())
    const one = `/webhooks/${body.webhook_id}`
    for (const path of ['/webhooks?statsu=active', `${one}/deliveries?state[]=dead`]) {
      const refused = await server.call(path)
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringMatching('is not a known field'),
      ])
    }
    const backwards = await server.post(`${one}/redeliver`, { from: 2, to: 1 })
    expect([backwards.status, backwards.body.error.message]).toEqual([400, 'to must not be before from.'])
  })

  test('an account has at most a hundred', async () => {
    await server.database.query(
      `
        insert into webhooks (id, kind, api, account_id, url, events, filters, retry_policy, format, secret, status)
        select gen_random_uuid(), 'subscription', 'workflows', $1, 'http://x/', '{a}', '{}', '{}', '{}', 'v1', 'active'
        from generate_series(1, 99)
      `,
      [server.idOf('otto')],
    )
    const refused = await server.post('/webhooks', config(), { as: 'otto' })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'TOO_MANY_WEBHOOKS'])
  })
})

test('requests that send something are limited', async () => {
  await using server = await startWebhooksServer(1)
  await using receiver = await startReceiver()
  const body = { webhook_config: { url: receiver.url, events: ['flow.step.completed'] } }
  const first = await server.post('/webhooks', body)
  expect(first.status).toBe(201)
  expect((await server.post('/webhooks', body)).status).toBe(429)
  expect((await server.post(`/webhooks/${first.body.webhook_id}/verify`)).status).toBe(429)
  expect((await server.call('/webhooks')).status).toBe(200)
})
