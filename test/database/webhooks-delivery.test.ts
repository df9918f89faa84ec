import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { connectAgain } from './events-setting.ts'
import { openSeverableLink } from './events-severable-link.ts'
import { accept, answer, type Received, startReceiver } from './webhooks-receiver.ts'
import { openWebhooksDatabase, openWebhooksScene } from './webhooks-setting.ts'
import { makeWebhooks, makeWorker, permitted, subscribeAtOnce } from './webhooks-worker.ts'

const hex = (secret: string, text: string) =>
  `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`

/** The n-th event of a subject. */
const event = (of: string, n: number) => ({ subject: of, data: { of, n } })

function standardHeaders({ headers }: Received): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

describe('a delivery', () => {
  test('is an envelope that is signed in three ways', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id, secret } = await scene.subscribe(receiver.url)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const at = new Date('2026-11-15T10:00:00.500Z')
    const data = { step_id: 'a', cost: 0.1, names: { ü: 1, a: [1e21, null] } }
    expect(await scene.publish([{ at, data }])).toBe(1)
    await receiver.untilEvents(1)
    const [received] = receiver.events
    if (received === undefined) throw new Error('nothing came')
    expect(received.body).toEqual({
      event: 'flow.step.completed',
      timestamp: 1794736800,
      webhook_id: id,
      data,
      signature: expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    })
    const canonical = `{"data":{"cost":0.1,"names":{"a":[1e+21,null],"ü":1},"step_id":"a"},"event":"flow.step.completed","timestamp":1794736800,"webhook_id":"${id}"}`
    expect(received.body.signature).toBe(hex(secret, canonical))
    expect(received.headers['x-webhook-signature']).toBe(hex(secret, received.raw))
    expect(new Webhook(secret).verify(received.raw, standardHeaders(received))).toEqual(received.body)
    expect(() => new Webhook(secret).verify(`${received.raw} `, standardHeaders(received))).toThrow()
    await scene.until(id, 'delivered')
    const { deliveries } = await scene.deliveries(id)
    expect(deliveries[0]).toMatchObject({
      id: received.headers['webhook-id'],
      attempts: 1,
      subject: 'execution-1',
      response: { status: 204 },
      request: { url: receiver.url, signature: received.body.signature },
      error: null,
    })
  })

  test('verifies with a custom secret, which is taken as text', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { secret } = await scene.subscribe(receiver.url, { secret: 'a-shared-secret-of-ours' })
    await scene.publish([{}])
    await receiver.untilEvents(1)
    const [received] = receiver.events
    if (received === undefined) throw new Error('nothing came')
    new Webhook(secret, { format: 'raw' }).verify(received.raw, standardHeaders(received))
  })

  test('can be a form, and compressed; signatures cover the text', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const format = { content_type: 'application/x-www-form-urlencoded', compression: 'gzip' } as const
    const { secret } = await scene.subscribe(receiver.url, { format })
    await scene.publish([{ data: { text: 'a&b=c ü' } }])
    await receiver.untilEvents(1)
    const [received] = receiver.events
    if (received === undefined) throw new Error('nothing came')
    expect(received.headers).toMatchObject({
      'content-type': format.content_type,
      'content-encoding': 'gzip',
    })
    expect(received.body.data).toEqual({ text: 'a&b=c ü' })
    expect(received.headers['x-webhook-signature']).toBe(hex(secret, received.raw))
    new Webhook(secret).verify(received.raw, standardHeaders(received), { jsonParse: false })
  })

  test('contains context and intermediate results on request', async () => {
    await using scene = await openWebhooksScene()
    const [plain, full] = [scene.use(await startReceiver()), scene.use(await startReceiver())]
    await scene.subscribe(plain.url)
    await scene.subscribe(full.url, {
      format: { include_full_context: true, include_intermediate_results: true },
    })
    const more = { fullContext: { content: 'c' }, intermediateResults: { a: 1 } }
    await scene.publish([{ data: { n: 1 }, ...more }, { data: { n: 2 } }])
    await Promise.all([plain.untilEvents(2), full.untilEvents(2)])
    expect(plain.events.map(({ body }) => body.data)).toEqual([{ n: 1 }, { n: 2 }])
    expect(full.events.map(({ body }) => body.data)).toEqual([
      { n: 1, full_context: { content: 'c' }, intermediate_results: { a: 1 } },
      { n: 2 },
    ])
  })

  test('has no webhook_id in the format of Orchestra', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const owner = { ...scene.owner, api: 'orchestra' } as const
    await scene.subscribe(receiver.url, { owner, events: ['workflow.completed'] })
    await scene.publish([{ event: 'workflow.completed' }])
    await receiver.untilEvents(1)
    expect(Object.keys(receiver.events[0]?.body).sort()).toEqual(['data', 'event', 'signature', 'timestamp'])
  })
})

describe('the order of deliveries', () => {
  test('applies to each subject: later ones wait, and other subjects do not', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url, { retryPolicy: { retry_delay: 3600 } })
    let isBroken = true
    receiver.react((response, received) =>
      (isBroken && received.body.data.of === 'a' ? answer(500) : accept)(response, received),
    )
    await scene.publish([event('a', 1), event('b', 1), event('a', 2)])
    await scene.publish([event('b', 2), event('a', 3)])
    await scene.until(id, 'delivered', 2)
    await eventually(() => receiver.events.some(({ body }) => body.data.of === 'a'))
    expect(receiver.events.filter(({ body }) => body.data.of === 'a').map(({ body }) => body.data.n)).toEqual(
      [1],
    )
    isBroken = false
    await eventually(async () => (await scene.deliveries(id)).deliveries[0]?.attempts === 1)
    await scene.skipPauses()
    await scene.until(id, 'delivered', 5)
    const numbersOf = (of: string) =>
      receiver.events.filter(({ body }) => body.data.of === of).map(({ body }) => body.data.n)
    expect(numbersOf('a')).toEqual([1, 1, 2, 3])
    expect(numbersOf('b')).toEqual([1, 2])
  })

  test('includes one added while the last one is being recorded', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url, { retryPolicy: { timeout: 60 } })
    const published = Promise.withResolvers<void>()
    receiver.react(async (response, received) => {
      if (received.body.data.n === 1) await published.promise
      accept(response, received)
    })
    await scene.publish([event('a', 1)])
    await receiver.untilEvents(1)
    await scene.database.transaction(async (transaction) => {
      const { accountId } = scene.owner
      const second = { event: 'flow.step.completed', accountId, ...event('a', 2) }
      await scene.webhooks.publish(transaction, [second])
      published.resolve()
      // The worker is about to finish the partition and waits for us.
      await eventually(async () => {
        const waiting = await scene.database.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting.length > 0
      })
    })
    await scene.until(id, 'delivered', 2)
    expect(receiver.events.map(({ body }) => body.data.n)).toEqual([1, 2])
  })

  test('holds under load, and no delivery is left behind', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url)
    const publishAll = async (subject: string) => {
      for (let n = 0; n < 40; n += 1) await scene.publish([{ subject, data: { subject, n } }])
    }
    await Promise.all(['a', 'b', 'c'].map(publishAll))
    // A busy machine may need most of a minute.
    for (const count of [40, 80, 120]) await receiver.untilEvents(count)
    await scene.until(id, 'delivered', 120)
    for (const subject of ['a', 'b', 'c']) {
      const numbers = receiver.events
        .filter(({ body }) => body.data.subject === subject)
        .map(({ body }) => body.data.n as number)
      expect(numbers).toEqual(Array.from({ length: 40 }, (_, n) => n))
    }
    await eventually(async () => {
      const [row] = await scene.database.query<{ count: number }>(
        `select count(*) from webhook_lanes where work_state <> 'finished'`,
      )
      return row?.count === 0
    })
  })
})

describe('an account', () => {
  test('that is disabled, deleted or without the permission gets nothing', async () => {
    let accountStatus: typeof permitted | undefined = permitted
    await using scene = await openWebhooksScene({ accountStatusOf: async () => accountStatus })
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url)
    for (const next of [
      undefined,
      { ...permitted, disabled: true },
      { ...permitted, permissions: new Set<string>() },
    ]) {
      accountStatus = next as typeof permitted
      await scene.publish([{}])
    }
    await scene.until(id, 'dead', 3)
    expect(receiver.events).toHaveLength(0)
    const { deliveries } = await scene.deliveries(id)
    expect(deliveries.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 3 }, () => 'account_not_permitted'),
    )
  })
})

test('an attempt whose outcome is stored twice, because the acknowledgement was lost, counts once', async () => {
  await using database = await openWebhooksDatabase()
  await using link = await openSeverableLink(database.url)
  await using linked = await connectAgain(link.url)
  await using receiver = await startReceiver()
  const webhooks = makeWebhooks(linked)
  await using closing = new AsyncDisposableStack()
  const worker = makeWorker(linked, webhooks)
  closing.defer(() => worker.stop())
  const accountId = await subscribeAtOnce(database, webhooks, receiver.url)
  // There is no second attempt.
  await database.query(`update webhooks set retry_policy = '{"retry_delay": 3600}'`)
  let lost: Promise<void> | undefined
  receiver.react((response) => {
    lost ??= link.severAfter('webhooks-record').then(() => link.mend())
    response.writeHead(500).end()
  })
  await worker.start()
  await database.transaction((transaction) =>
    webhooks.publish(transaction, [{ event: 'execution.progress', subject: 's', accountId, data: {} }]),
  )
  const states = () =>
    database.query<{ delivery: string; partition: string; attempts: number }>(`
      select delivery.state as delivery, attempts, work_state as partition
      from webhook_deliveries as delivery join webhook_lanes as partition using (webhook_id, subject)
      where attempts > 0 and work_state = 'queued'
    `)
  await eventually(async () => (await states()).length > 0)
  await lost
  expect(await states()).toEqual([{ delivery: 'pending', partition: 'queued', attempts: 1 }])
})

test('the deliveries of an account do not wait for the backlog of another', async () => {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await openWebhooksDatabase())
  const webhooks = makeWebhooks(database, { environment: { TUTTI_WEBHOOK_CONCURRENCY: '4' } })
  const receiver = closing.use(await startReceiver())
  const [many, few] = [
    await subscribeAtOnce(database, webhooks, receiver.url),
    await subscribeAtOnce(database, webhooks, receiver.url),
  ]
  const publish = (accountId: string, subjects: readonly string[]) =>
    database.transaction((transaction) =>
      webhooks.publish(
        transaction,
        subjects.map((subject) => ({
          event: 'execution.progress',
          subject,
          accountId,
          data: { of: accountId },
        })),
      ),
    )
  await publish(
    many,
    Array.from({ length: 60 }, (_, n) => `many-${n}`),
  )
  await publish(few, ['few'])
  const worker = makeWorker(database, webhooks, { pollMs: 100 })
  closing.defer(() => worker.stop())
  await worker.start()
  await receiver.untilEvents(61)
  const position = receiver.events.findIndex(({ body }) => body.data.of === few)
  expect(position).toBeGreaterThanOrEqual(0)
  expect(position).toBeLessThan(20)
})
