import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CreatedHook, createHook, executionsOf, sendTo } from '../http/triggers-setting.ts'
import { startWorkflowsServer, type WorkflowsServer } from '../http/workflows-server.ts'
import { prompt } from '../http/workflows-steps.ts'

let server: WorkflowsServer
let flow: string

beforeAll(async () => {
  server = await startWorkflowsServer()
  flow = await server.save([prompt('only', 'One')])
})
afterAll(() => server?.[Symbol.asyncDispose]())

const sign = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex')

test('The URL of a trigger is guessed, or a disabled one is searched', async () => {
  const hook = await createHook(server, flow, { enabled: false })
  const unknown = { url: hook.url.replace(/[^/]+$/, 'A'.repeat(43)) }
  const [disabled, missing] = [await sendTo(hook, {}), await sendTo(unknown, {})]
  const plain = ({ body }: typeof disabled) => ({
    ...body.error,
    timestamp: 0,
    request_id: '',
    support_reference: '',
  })
  expect(disabled.status).toBe(404)
  expect(plain(disabled)).toEqual(plain(missing))
})

test('A webhook has the signature of another body, trigger or secret', async () => {
  const verification = { type: 'github' }
  const [hook, other] = [
    await createHook(server, flow, { verification }),
    await createHook(server, flow, { verification }),
  ]
  const body = '{"a":1}'
  for (const signature of [
    undefined,
    '',
    'sha256=',
    `sha256=${sign(other.secret, body)}`,
    `sha256=${sign(hook.secret, '{"a":2}')}`,
    `sha1=${sign(hook.secret, body)}`,
    sign(hook.secret, body),
  ]) {
    const headers = signature === undefined ? {} : { 'x-hub-signature-256': signature }
    const answer = await sendTo(hook, body, headers)
    expect([answer.status, answer.body.error.code]).toEqual([401, 'SIGNATURE_INVALID'])
  }
  expect(await executionsOf(server, hook.id)).toEqual([])
  const { total } = await server.triggers.deliveries(hook.id, { limit: 1, offset: 0 })
  expect(total).toBe(0)
  expect(await server.triggers.read(hook.id)).toMatchObject({ timesRefused: 7 })
})

test('A recorded webhook is sent again after five minutes', async () => {
  const hook = await createHook(server, flow, { verification: { type: 'standard_webhooks' } })
  const body = '{}'
  const request = (fromNow: number) => {
    const seconds = Math.floor(Date.now() / 1000) + fromNow
    const key = Buffer.from(hook.secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`msg_${seconds}.${seconds}.${body}`).digest('base64')
    return sendTo(hook, body, {
      'webhook-id': `msg_${seconds}`,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${signature}`,
    })
  }
  expect((await request(0)).status).toBe(202)
  expect((await request(-310)).status).toBe(401)
  expect((await request(310)).status).toBe(401)
})

/** A signed request, as its sender makes it. */
type Signed = (secret: string) => {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const json = { 'content-type': 'application/json' }
const now = () => String(Math.floor(Date.now() / 1000))

const byHeader: Signed = (secret) => {
  const body = '{"order": {"id": 7}}'
  return { body, headers: { ...json, 'x-signature': sign(secret, body), 'x-order': 'r-1' } }
}
const byGitHub: Signed = (secret) => {
  const body = '{"action": "opened"}'
  return {
    body,
    headers: { ...json, 'x-hub-signature-256': `sha256=${sign(secret, body)}`, 'x-github-delivery': 'g-1' },
  }
}
const byShopify: Signed = (secret) => {
  const body = '{"id": 1, "total_price": "9.99"}'
  const signature = createHmac('sha256', secret).update(body).digest('base64')
  return { body, headers: { ...json, 'x-shopify-hmac-sha256': signature, 'x-shopify-webhook-id': 's-1' } }
}
const byStripe: Signed = (secret) => {
  const [time, body] = [now(), '{"id": "evt_1"}']
  return { body, headers: { ...json, 'stripe-signature': `t=${time},v1=${sign(secret, `${time}.${body}`)}` } }
}
const bySlack: Signed = (secret) => {
  const [time, body] = [now(), '{"event_id": "Ev1"}']
  return {
    body,
    headers: {
      ...json,
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${sign(secret, `v0:${time}:${body}`)}`,
    },
  }
}

const hmac = { verification: { type: 'hmac', header: 'X-Signature' } }
const given = 'a-secret-of-the-sender'
const ofSender = (type: string) => ({ verification: { type, secret: given } })
const asText = { 'content-type': 'text/plain' }

test.each<[string, object, Signed, string, Readonly<Record<string, string>>]>([
  ['a query', hmac, byHeader, '?x=1', {}],
  ['a query that is its id', { ...hmac, delivery_id: '{{query.x}}' }, byHeader, '?x=1', {}],
  [
    'a header that is its id',
    { ...hmac, delivery_id: '{{headers.x-order}}' },
    byHeader,
    '',
    { 'x-order': 'r-2' },
  ],
  ['a type that hides its id', { ...hmac, delivery_id: '{{body.order.id}}' }, byHeader, '', asText],
  ['the id of GitHub', { verification: { type: 'github' } }, byGitHub, '', { 'x-github-delivery': 'g-2' }],
  [
    'the former signature of GitHub',
    { verification: { type: 'github' } },
    byGitHub,
    '',
    { 'x-hub-signature': 'x', 'x-github-delivery': '' },
  ],
  ['the id of Shopify', ofSender('shopify'), byShopify, '', { 'x-shopify-webhook-id': 's-2' }],
  ['a type that hides the id of Stripe', ofSender('stripe'), byStripe, '?x=1', asText],
  ['a type that hides the id of Slack', ofSender('slack'), bySlack, '?x=1', asText],
])('A signed request is recorded and sent again with %s', async (_name, settings, signed, query, changed) => {
  const hook = await createHook(server, flow, settings)
  const { body, headers } = signed(hook.secret ?? given)
  const first = await sendTo(hook, body, headers)
  expect(first.status).toBe(202)
  const again = await sendTo({ url: `${hook.url}${query}` }, body, { ...headers, ...changed })
  expect(again.body).toEqual(first.body)
  const extended = headers['stripe-signature']
  if (extended !== undefined) {
    const more = { ...headers, ...changed, 'stripe-signature': `${extended},v1=00` }
    expect((await sendTo(hook, body, more)).body).toEqual(first.body)
  }
  expect(await executionsOf(server, hook.id)).toHaveLength(1)
})

test('A signed request is recorded and sent many times at once, each with another id', async () => {
  const hook = await createHook(server, flow, { verification: { type: 'github' } })
  const { body, headers } = byGitHub(hook.secret)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => sendTo(hook, body, { ...headers, 'x-github-delivery': `g-${n}` })),
  )
  expect(new Set(answers.map((answer) => answer.body.execution_id as string)).size).toBe(1)
  expect(await executionsOf(server, hook.id)).toHaveLength(1)
})

test('A caller who only knows the URL of a trigger reads what is wrong with its filter or its flow', async () => {
  const filter = { expression: 'body.price > 100' }
  const open = await createHook(server, flow, { filter })
  const failing = await sendTo(open, { price: 'a lot' })
  expect([failing.status, failing.body.error.code]).toEqual([422, 'FILTER_FAILED'])
  expect(failing.text).not.toMatch(/price|type|operator|overload/i)

  const verified = await createHook(server, flow, {
    filter,
    verification: { type: 'header', header: 'X-Key' },
  })
  const owned = await sendTo(verified, { price: 'a lot' }, { 'x-key': verified.secret })
  expect(owned.body.error.message).toMatch(/overload|type|operator/i)
})

test.each([
  ['not JSON', '{', 400],
  ['a changed prototype', '{"__proto__": {"admin": true}}', 400],
  ['deep nesting', '['.repeat(100_000), 400],
  ['more than a megabyte', JSON.stringify('x'.repeat(1024 * 1024)), 413],
  ['NUL characters and lone surrogates', '{"a": "\\u0000 \\ud800"}', 202],
])('a body with %s', async (_name, body, status) => {
  const hook = await createHook(server, flow, { input: { all: '{{body}}' } })
  expect((await sendTo(hook, body)).status).toBe(status)
})

test('A compressed body of a webhook expands to a huge one', async () => {
  const hook = await createHook(server, flow, {})
  expect((await sendTo(hook, 'x', { 'content-encoding': 'gzip' })).status).toBe(415)
})

test('A value in a webhook injects a placeholder or reaches a prototype', async () => {
  const hook = await createHook(server, flow, {
    input: { a: '{{body.x}}', b: '{{body.constructor.name}}', c: '{{headers.authorization}}' },
  })
  const { body } = await sendTo(
    hook,
    { x: '{{headers.x-secret}}' },
    { authorization: 'Bearer 1', 'x-secret': 's' },
  )
  const record = await server.engine.executions.read(body.execution_id)
  expect(record?.input.context).toEqual({ a: '{{headers.x-secret}}', b: '', c: '' })
})

test('The secret or the URL of a trigger is read from the database', async () => {
  const hooks: CreatedHook[] = [
    await createHook(server, flow, { verification: { type: 'gitlab' }, input: { all: '{{headers}}' } }),
    await createHook(server, flow, {
      verification: { type: 'header', header: 'X-Key' },
      input: { all: '{{headers}}' },
    }),
  ]
  const [gitlab, header] = hooks as [CreatedHook, CreatedHook]
  expect((await sendTo(gitlab, {}, { 'x-gitlab-token': gitlab.secret })).status).toBe(202)
  expect((await sendTo(header, {}, { 'x-key': header.secret })).status).toBe(202)
  const tables = ['triggers', 'trigger_deliveries', 'engine_executions', 'kernel_events']
  for (const table of tables) {
    const [row] = await server.database.query<{ all: string }>(
      `select coalesce(string_agg(it::text, ' '), '') as all from ${table} as it`,
    )
    for (const { url, secret } of hooks) {
      expect(row?.all).not.toContain(secret)
      expect(row?.all).not.toContain(url.split('/').at(-1))
    }
  }
})

test('A trigger of a disabled account starts a flow', async () => {
  const hook = await createHook(server, flow, {}, 'otto')
  await server.database.query(`update identity_users set disabled_at = now() where username = 'otto'`)
  await expect
    .poll(async () => (await server.identity.accountStatusOf(server.idOf('otto')))?.disabled)
    .toBe(true)
  const answer = await sendTo(hook, {})
  expect([answer.status, answer.body.error.code]).toEqual([410, 'TRIGGER_GONE'])
})
