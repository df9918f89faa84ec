import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import {
  createReceiver,
  readWebhook,
  type WebhookMessage,
  WebhookRefused,
} from '../../src/webhooks/receive/index.mjs'
import { listen } from '../http/outbound-support.ts'
import { startReceiver } from './webhooks-receiver.ts'
import { openWebhooksScene } from './webhooks-setting.ts'

const secret = 'a-secret-of-our-own'

test('the library verifies, reads every format, and handles each event once, also when it was redelivered', async () => {
  const heard: WebhookMessage[] = []
  const errors: unknown[] = []
  let stumbles = 1
  const server = createServer(
    createReceiver({
      secret: ['one that was before', secret],
      onEvent(message) {
        if (stumbles-- > 0) throw new Error('not now')
        heard.push(message)
      },
      onError: (error) => errors.push(error),
    }),
  )
  await using listening = await listen(server)
  await using scene = await openWebhooksScene()
  const { id } = await scene.subscribe(`http://127.0.0.1:${listening.port}/`, {
    secret,
    retryPolicy: { retry_delay: 0 },
    format: { content_type: 'application/x-www-form-urlencoded', compression: 'gzip' },
  })
  await scene.publish([{ data: { n: 1 } }])
  await scene.until(id, 'delivered')
  const webhook = await scene.webhooks.subscriptions.read(scene.owner, id)
  await scene.webhooks.deliveries.redeliverRange(webhook, { state: 'all' })
  await scene.publish([{ data: { n: 2 } }])
  await expect.poll(() => heard.map(({ data }) => data?.['n'])).toEqual([1, 2])
  expect(errors).toEqual([new Error('not now')])
})

test('it refuses forged, changed, old or truncated requests', async () => {
  await using receiver = await startReceiver()
  await using scene = await openWebhooksScene()
  await scene.subscribe(receiver.url, { secret })
  await scene.publish([{ data: { n: 1 } }])
  await receiver.untilEvents(1)
  const [event] = receiver.events
  const { raw = '', headers = {} } = event ?? {}
  expect(readWebhook(raw, headers, secret)).toMatchObject({ id: headers['webhook-id'], data: { n: 1 } })
  const refused = (body: string, more: object = {}, key = secret) =>
    expect(() => readWebhook(body, { ...headers, ...more }, key)).toThrow(WebhookRefused)
  refused(raw, {}, 'a-secret-of-another')
  refused(raw.replace('"n":1', '"n":2'))
  refused(raw, { 'webhook-id': 'another' })
  refused(raw, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) })
  refused(raw, { 'webhook-signature': undefined })
  refused(raw, { 'content-encoding': 'gzip' })
  expect(() => readWebhook(raw, headers, secret, { toleranceSeconds: -1 })).toThrow('too old')
})
