import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startReceiver } from './webhooks-receiver.ts'
import { openWebhooksScene } from './webhooks-setting.ts'

describe('publishing', () => {
  test('belongs to the transaction of the event', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url)
    const { accountId } = scene.owner
    const event = { event: 'flow.step.completed', subject: 's', accountId, data: {} }
    await expect(
      scene.database.transaction(async (transaction) => {
        expect(await scene.webhooks.publish(transaction, [event])).toBe(1)
        throw new Error('it did not happen')
      }),
    ).rejects.toThrow('it did not happen')
    expect((await scene.deliveries(id)).total).toBe(1)
    await scene.publish([{ data: { really: true } }])
    await scene.until(id, 'delivered')
    expect(receiver.events.map(({ body }) => body.data)).toEqual([{ really: true }])
  })

  test('reaches only subscriptions of the account to this event', async () => {
    await using scene = await openWebhooksScene()
    const [mine, theirs] = [scene.use(await startReceiver()), scene.use(await startReceiver())]
    const { id } = await scene.subscribe(mine.url, { events: ['flow.execution.completed'] })
    const other = { ...scene.owner, accountId: randomUUID() }
    await scene.subscribe(theirs.url, { owner: other })
    expect(await scene.publish([{ event: 'flow.step.completed' }])).toBe(0)
    expect(await scene.publish([{ event: 'flow.execution.completed' }])).toBe(1)
    await scene.until(id, 'delivered')
    expect(theirs.events).toHaveLength(0)
    await expect(scene.webhooks.subscriptions.read(other, id)).rejects.toMatchObject({
      code: 'webhook_not_found',
    })
    await expect(
      scene.webhooks.subscriptions.read({ ...scene.owner, api: 'orchestra' }, id),
    ).rejects.toMatchObject({ code: 'webhook_not_found' })
  })

  test('applies filters, and an event without the filtered field does not pass', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    await scene.subscribe(receiver.url, {
      filters: { flow_ids: ['f1', 'f2'], min_cost: 0.5, priority: ['high', 'urgent'] },
    })
    const facts = { flowId: 'f1', cost: 0.5, priority: 'high' }
    const published = async (changed: object) => await scene.publish([{ facts: { ...facts, ...changed } }])
    expect(await published({})).toBe(1)
    expect(await published({ flowId: 'f3' })).toBe(0)
    expect(await published({ flowId: undefined })).toBe(0)
    expect(await published({ cost: 0.4999 })).toBe(0)
    expect(await published({ cost: undefined })).toBe(0)
    expect(await published({ priority: 'low' })).toBe(0)
    expect(await published({ cost: 7, priority: 'urgent', flowId: 'f2' })).toBe(1)
  })

  test('an event with a key is delivered once to a webhook, however often it is published, under an id of its own', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url)
    const { id: other } = await scene.subscribe(receiver.url)
    const first = { key: '7', event: 'flow.step.completed', data: {} }
    expect(await scene.publish([first])).toBe(2)
    expect(await scene.publish([first, { ...first, key: '8' }])).toBe(2)
    expect(await scene.publish([{ ...first, event: 'flow.execution.completed' }])).toBe(2)
    expect(await scene.publish([{ ...first, subject: 'another' }])).toBe(2)
    for (const webhook of [id, other]) await scene.until(webhook, 'delivered', 4)
    const ids = receiver.events.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([8, 8])
  })

  test('omits a value that is too long, and says so', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const format = { include_full_context: true, include_intermediate_results: true }
    const { id } = await scene.subscribe(receiver.url, { format })
    const long = 'x'.repeat(1_100_000)
    await scene.publish([
      { data: { n: 1 }, fullContext: { kept: true }, intermediateResults: { step: 'short' } },
      { data: { n: 2 }, fullContext: { kept: true }, intermediateResults: { step: long } },
      { data: { n: 3, reasons: long, more: { result: long.repeat(2) } }, subject: 's', fullContext: long },
    ])
    await scene.until(id, 'delivered', 3)
    const [short, ...others] = receiver.events.map(({ body }) => body.data).toSorted((a, b) => a.n - b.n)
    expect(short).toEqual({ n: 1, full_context: { kept: true }, intermediate_results: { step: 'short' } })
    expect(others).toEqual([
      {
        n: 2,
        full_context: { kept: true },
        intermediate_results: null,
        intermediate_results_omitted: true,
      },
      {
        n: 3,
        reasons: long,
        more: null,
        more_omitted: true,
        full_context: null,
        full_context_omitted: true,
      },
    ])
    const { deliveries } = await scene.deliveries(id)
    expect(deliveries.find(({ subject }) => subject === 's')?.content).toEqual({
      data: null,
      data_omitted: true,
    })
    expect(deliveries.find(({ content }) => content['data'] !== null)?.content).toMatchObject({
      data: { n: 1 },
    })
  })

  test('keeps text that PostgreSQL cannot store, and every JSON value', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    await scene.subscribe(receiver.url)
    await scene.publish([{ data: { nul: 'a\0b', half: 'x\ud83d', deep: [[{}], -0, 1e-7] } }])
    await receiver.untilEvents(1)
    expect(receiver.events[0]?.body.data).toEqual({ nul: 'a\uFFFDb', half: 'x\uFFFD', deep: [[{}], 0, 1e-7] })
  })
})

describe('subscribers', () => {
  test('are known with their combined options, and with their deliveries', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { database, webhooks, owner } = scene
    const { accountId } = owner
    const about = { subject: 'execution-1', accountId }
    expect(await webhooks.listeners.hasAny(database, accountId)).toBe(false)
    expect(await webhooks.listeners.wantedOf(database, [about])).toEqual(new Map())
    await scene.subscribe(receiver.url, { events: ['a', 'b'] })
    await scene.subscribe(receiver.url, { events: ['b', 'c'], format: { include_full_context: true } })
    await webhooks.openCallback(database, {
      api: 'workflows',
      accountId,
      url: receiver.url,
      subject: 'execution-1',
      events: ['d'],
    })
    expect(await webhooks.listeners.hasAny(database, accountId)).toBe(true)
    expect(await webhooks.listeners.hasAny(database, randomUUID())).toBe(false)
    const wanted = await webhooks.listeners.wantedOf(database, [
      about,
      { subject: 'execution-2', accountId },
      { subject: 'execution-3', accountId: randomUUID() },
    ])
    const more = { fullContext: true, intermediateResults: false }
    expect(wanted).toEqual(
      new Map([
        ['execution-1', { events: new Set(['a', 'b', 'c', 'd']), ...more }],
        ['execution-2', { events: new Set(['a', 'b', 'c']), ...more }],
      ]),
    )
    const told = { ...about, event: 'a', withinMs: 60_000 }
    expect(await webhooks.listeners.wasPublishedTo(database, told)).toBe(false)
    await scene.publish([{ event: 'a' }])
    expect(await webhooks.listeners.wasPublishedTo(database, told)).toBe(true)
    expect(await webhooks.listeners.wasPublishedTo(database, { ...told, subject: 'execution-2' })).toBe(false)
    await webhooks.closeCallbacks(database, 'execution-1')
    expect(await scene.publish([{ event: 'd' }])).toBe(0)
  })
})

describe('a callback', () => {
  test('gets events of its subject alone, needs no verification, and works without a permission', async () => {
    const accountStatus = { tier: 'basic', disabled: false, permissions: new Set<string>() }
    await using scene = await openWebhooksScene({ accountStatusOf: async () => accountStatus })
    const receiver = scene.use(await startReceiver())
    const { accountId } = scene.owner
    const { id, secret } = await scene.database.transaction((transaction) =>
      scene.webhooks.openCallback(transaction, {
        api: 'workflows',
        accountId,
        url: receiver.url,
        subject: 'execution-7',
        events: ['execution.started', 'execution.completed'],
      }),
    )
    expect(secret).toMatch(/^whsec_/)
    expect(await scene.publish([{ event: 'execution.started', subject: 'execution-8' }])).toBe(0)
    expect(await scene.publish([{ event: 'execution.progress', subject: 'execution-7' }])).toBe(0)
    await scene.publish([
      { event: 'execution.started', subject: 'execution-7' },
      { event: 'execution.completed', subject: 'execution-7' },
    ])
    await scene.until(id, 'delivered', 2)
    expect(receiver.events.map(({ body }) => [body.event, body.webhook_id])).toEqual([
      ['execution.started', id],
      ['execution.completed', id],
    ])
    expect(receiver.verifications).toHaveLength(0)
    expect(await scene.webhooks.subscriptions.list(scene.owner, { limit: 10, offset: 0 })).toMatchObject({
      total: 0,
    })
  })
})

describe('retention', () => {
  test('deletes old finished deliveries, and no unfinished one', async () => {
    await using scene = await openWebhooksScene({ environment: { TUTTI_WEBHOOK_RETENTION: '1h' } })
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url)
    await scene.database.transaction((transaction) =>
      scene.webhooks.openCallback(transaction, {
        api: 'workflows',
        accountId: scene.owner.accountId,
        url: receiver.url,
        subject: 'execution-1',
        events: ['execution.started'],
      }),
    )
    await scene.publish([{ subject: 'old' }, { subject: 'new' }])
    await scene.until(id, 'delivered', 2)
    receiver.react(() => undefined)
    await scene.publish([{ subject: 'stuck' }])
    await scene.database.query(
      `update webhook_deliveries set finished_at = now() - interval '61 minutes' where subject = 'old'`,
    )
    await scene.database.query(`update webhooks set created_at = now() - interval '61 minutes'`)
    const [prune] = scene.webhooks.tasks
    await prune?.run(new AbortController().signal)
    const subjects = await scene.database.query<{ subject: string }>(
      `select subject from webhook_deliveries where event <> 'webhook.verification' order by sequence`,
    )
    expect(subjects.map(({ subject }) => subject)).toEqual(['new', 'stuck'])
    const partitions = await scene.database.query<{ subject: string }>(
      'select subject from webhook_lanes order by id',
    )
    expect(partitions.map(({ subject }) => subject)).toEqual(['webhook.verification', 'new', 'stuck'])
    expect(await scene.database.query('select kind from webhooks')).toEqual([{ kind: 'subscription' }])
  })
})
