import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Received, startReceiver } from './webhooks-receiver.ts'
import { openWebhooksDatabase, openWebhooksScene } from './webhooks-setting.ts'
import { makeWebhooks, makeWorker } from './webhooks-worker.ts'

function holds(secret: string, { raw, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

describe('a secret', () => {
  test('is stored encrypted, for its webhook alone', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { secret } = await scene.subscribe(receiver.url)
    const [row] = await scene.database.query<{ secret: string }>('select secret from webhooks')
    expect(row?.secret).toMatch(/^v1\./)
    const everything = JSON.stringify(
      await scene.database.query(
        'select to_jsonb(webhooks), to_jsonb(d) from webhooks, webhook_deliveries as d',
      ),
    )
    expect(everything).not.toContain(secret)
  })

  test('that was changed signs beside the new one for a day', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id, secret: before } = await scene.subscribe(receiver.url)
    const { secret: after } = await scene.webhooks.subscriptions.rotate(scene.owner, id)
    expect(after).not.toBe(before)
    await scene.publish([{}])
    await receiver.untilEvents(1)
    const [first] = receiver.events
    if (first === undefined) throw new Error('nothing came')
    expect([holds(before, first), holds(after, first)]).toEqual([true, true])
    const hex = (secret: string) => `sha256=${createHmac('sha256', secret).update(first.raw).digest('hex')}`
    expect(first.headers['x-webhook-signature']).toBe(hex(after))
    expect(first.headers['x-webhook-signature-previous']).toBe(hex(before))

    await scene.database.query(`update webhooks set previous_secret_until = now() - interval '1 second'`)
    await scene.publish([{}])
    await receiver.untilEvents(2)
    const second = receiver.events[1]
    if (second === undefined) throw new Error('nothing came')
    expect([holds(before, second), holds(after, second)]).toEqual([false, true])
    expect(second.headers).not.toHaveProperty('x-webhook-signature-previous')
  })

  test('survives a change of TUTTI_SECRET, and is encrypted again with the new one', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id, secret } = await scene.subscribe(receiver.url)
    await using database = await openWebhooksDatabase()
    const [copy] = await scene.database.query<{ row: object }>(
      'select to_jsonb(webhooks) as row from webhooks',
    )
    await database.query('insert into webhooks select * from jsonb_populate_record(null::webhooks, $1)', [
      copy?.row,
    ])
    const encryptedOf = async () =>
      (await database.query<{ secret: string }>('select secret from webhooks'))[0]?.secret
    const before = await encryptedOf()
    const moved = makeWebhooks(database, {
      secret: 'another secret of the installation',
      previousSecret: 'the secret of this installation',
    })
    const worker = makeWorker(database, moved)
    await worker.start()
    try {
      const event = { event: 'flow.step.completed', subject: 's', accountId: scene.owner.accountId, data: {} }
      await moved.publish(database, [event])
      await receiver.untilEvents(1)
      const [received] = receiver.events
      expect(received !== undefined && holds(secret, received)).toBe(true)
      expect(received?.body.webhook_id).toBe(id)
      expect(await encryptedOf()).not.toBe(before)
    } finally {
      await worker.stop()
    }
  })

  test('that cannot be decrypted is reported, and nothing is sent unsigned', async () => {
    await using scene = await openWebhooksScene()
    const receiver = scene.use(await startReceiver())
    const { id } = await scene.subscribe(receiver.url)
    await scene.database.query(`update webhooks set secret = 'v1.AAAAAAAA.AAAA'`)
    await scene.publish([{}])
    await eventually(async () => (await scene.deliveries(id)).deliveries[0]?.error?.code === 'secret_wrong')
    expect((await scene.deliveries(id)).deliveries[0]).toMatchObject({ state: 'pending', request: null })
    expect(receiver.events).toHaveLength(0)
  })
})
