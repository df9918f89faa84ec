import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { listen } from '../http/outbound-support.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/free-port.ts'
import { accept, answer, startReceiver } from './webhooks-receiver.ts'
import { openWebhooksScene } from './webhooks-setting.ts'

describe('a receiver', () => {
  test('that fails is retried, with the same id and body, until it accepts', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id, secret } = await scene.subscribe(receiver.url, { retryPolicy: { retry_delay: 0.05 } })
    receiver.react((response, received) => {
      const count = receiver.events.length
      return (count < 3 ? answer(500) : accept)(response, received)
    })
    await scene.publish([{}])
    await scene.until(id, 'delivered')
    expect(receiver.events).toHaveLength(3)
    expect(new Set(receiver.events.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.events.map(({ raw }) => raw)).size).toBe(1)
    for (const { raw, headers } of receiver.events)
      new Webhook(secret).verify(raw, headers as Record<string, string>)
    const webhook = await scene.webhooks.subscriptions.read(scene.owner, id)
    expect(webhook).toMatchObject({ status: 'active', failingSince: null })
  })

  test('that fails at every attempt leaves a dead letter, which can be redelivered', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    receiver.react(answer(503))
    const { id } = await scene.subscribe(receiver.url, {
      retryPolicy: { max_attempts: 2, retry_delay: 0.01 },
    })
    await scene.publish([{ data: { n: 1 } }, { data: { n: 2 } }])
    await scene.until(id, 'dead', 2)
    const { deliveries } = await scene.deliveries(id)
    expect(deliveries[0]).toMatchObject({
      reason: 'attempts_exhausted',
      attempts: 2,
      response: { status: 503, body: 'so it is' },
      error: { code: 'not_accepted', message: 'The receiver responded with 503.' },
    })
    receiver.react(accept)
    const webhook = await scene.webhooks.subscriptions.read(scene.owner, id)
    await scene.webhooks.deliveries.redeliver(webhook, deliveries[1]?.id ?? '')
    await scene.until(id, 'delivered', 1)
    expect(receiver.events.at(-1)).toMatchObject({ headers: { 'webhook-id': deliveries[1]?.id } })
    expect(await scene.webhooks.deliveries.redeliverRange(webhook, { state: 'dead' })).toEqual({
      count: 1,
      more: false,
    })
    await scene.until(id, 'delivered', 2)
  })

  test('that hangs times out and is retried', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url, { retryPolicy: { retry_delay: 0.01, timeout: 1 } })
    let isSeen = false
    receiver.react((response, received) => (isSeen ? accept(response, received) : undefined))
    await scene.publish([{}])
    await receiver.untilEvents(1)
    await eventually(
      async () => (await scene.deliveries(id)).deliveries[0]?.error?.code === 'outbound_timeout',
    )
    isSeen = true
    await scene.until(id, 'delivered')
  })

  test('that redirects is not followed', async () => {
    await using scene = await openWebhooksScene()
    const [receiver, elsewhere] = [scene.use(await startReceiver()), scene.use(await startReceiver())]
    receiver.react(answer(307, { location: elsewhere.url }))
    const { id } = await scene.subscribe(receiver.url, { retryPolicy: { max_attempts: 1 } })
    await scene.publish([{}])
    await scene.until(id, 'dead')
    expect(elsewhere.events).toHaveLength(0)
    const { deliveries } = await scene.deliveries(id)
    expect(deliveries[0]).toMatchObject({
      response: { status: 307, headers: { location: elsewhere.url } },
      error: {
        message:
          'The receiver redirects (307), and redirects are not followed. Change the URL of the webhook.',
      },
    })
  })

  test('that responds 410 gets no further deliveries', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    receiver.react(answer(410))
    const { id } = await scene.subscribe(receiver.url)
    await scene.publish([{ data: { n: 1 } }, { data: { n: 2 } }])
    await scene.until(id, 'dead', 2)
    expect(receiver.events).toHaveLength(1)
    const { deliveries } = await scene.deliveries(id)
    expect(deliveries.map(({ reason }) => reason)).toEqual(['gone', 'webhook_disabled'])
    expect(await scene.webhooks.subscriptions.read(scene.owner, id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    })
    expect(await scene.publish([{}])).toBe(0)
  })

  test('that sends Retry-After is called later', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    receiver.react(answer(429, { 'retry-after': '3600' }))
    const { id } = await scene.subscribe(receiver.url, { retryPolicy: { retry_delay: 0.01 } })
    await scene.publish([{}])
    await eventually(async () => (await scene.deliveries(id)).deliveries[0]?.attempts === 1)
    const { deliveries } = await scene.deliveries(id)
    const waitMs =
      (deliveries[0]?.nextAttemptAt.getTime() ?? 0) - (deliveries[0]?.attemptedAt?.getTime() ?? 0)
    expect(waitMs).toBeGreaterThan(3_590_000)
  })

  test.for([
    ['is not there', '', 'outbound_unreachable'],
    ['answers garbage', 'this is no HTTP\r\n\r\n', 'outbound_bad_response'],
    ['dies in the middle', 'HTTP/1.1 200 O', 'outbound_connection_lost'],
  ] as const)('that %s is retried', async ([, wire, code]) => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url, {
      retryPolicy: { max_attempts: 2, retry_delay: 0.01 },
    })
    const server = createServer((socket) => {
      socket.once('data', () => socket.end(wire))
    })
    const port = wire === '' ? await findFreePort() : scene.use(await listen(server)).port
    await scene.database.query('update webhooks set url = $1', [`http://127.0.0.1:${port}/`])
    await scene.publish([{}])
    await scene.until(id, 'dead')
    const { deliveries } = await scene.deliveries(id)
    expect(deliveries[0]).toMatchObject({ attempts: 2, error: { code } })
  })

  test('that sends a huge body is read by its status', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    receiver.react((response) => response.end('\0'.repeat(3_000_000)))
    const { id } = await scene.subscribe(receiver.url)
    await scene.publish([{}])
    await scene.until(id, 'delivered')
    const { deliveries } = await scene.deliveries(id)
    expect(deliveries[0]?.response?.body.length).toBe(4096)
  })

  test('at an address that became private is not called, and not retried', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url)
    await scene.database.query(`update webhooks set url = 'http://10.0.0.1/hook'`)
    await scene.publish([{}])
    await scene.until(id, 'dead')
    const { deliveries } = await scene.deliveries(id)
    expect(deliveries[0]).toMatchObject({
      reason: 'refused',
      error: { code: 'outbound_refused' },
      attempts: 1,
    })
  })

  test('that failed for days is disabled', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    receiver.react(answer(500))
    const { id } = await scene.subscribe(receiver.url, { retryPolicy: { max_attempts: 1 } })
    await scene.publish([{}])
    await scene.until(id, 'dead')
    await eventually(
      async () => (await scene.webhooks.subscriptions.read(scene.owner, id)).failingSince !== null,
    )
    await scene.database.query(`update webhooks set failing_since = now() - interval '5 days 1 second'`)
    await scene.publish([{}])
    await eventually(
      async () => (await scene.webhooks.subscriptions.read(scene.owner, id)).disabledReason === 'failing',
    )
  })
})

test('callbacks to a receiver that never responds delay no other account', async () => {
  await using scene = await openWebhooksScene({ environment: { TUTTI_WEBHOOK_CONCURRENCY: '20' } })
  const { database, webhooks } = scene
  const [hanging, prompt] = [scene.use(await startReceiver()), scene.use(await startReceiver())]
  let open = 0
  let maxOpen = 0
  let closed = 0
  hanging.react((response) => {
    open += 1
    maxOpen = Math.max(maxOpen, open)
    response.on('close', () => {
      open -= 1
      closed += 1
    })
  })
  const call = (accountId: string, url: string, subject: string) =>
    webhooks.openCallback(database, {
      api: 'workflows',
      accountId,
      url,
      subject,
      events: ['done'],
      // No request times out while the test runs.
      retryPolicy: { timeout: 3600 },
    })
  const [greedy, other] = [randomUUID(), randomUUID()]
  const subjects = Array.from({ length: 200 }, (_, index) => `execution-${index}`)
  for (const subject of subjects) await call(greedy, hanging.url, subject)
  await call(other, prompt.url, 'theirs')
  await scene.publish(subjects.map((subject) => ({ event: 'done', subject, accountId: greedy })))
  await hanging.untilEvents(4)
  await scene.publish([{ event: 'done', subject: 'theirs', accountId: other }])
  await prompt.untilEvents(1)
  expect(closed).toBe(0)
  expect(maxOpen).toBeLessThanOrEqual(4)
})
