import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isGenuine, secretHeaders, senderDeliveryId, slackChallenge, type Verification } from './senders.ts'

interface Case {
  readonly verification: Verification
  readonly secret: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly at: number
}

const slackBody =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
  '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=' +
  '&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN' +
  '&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'

const stripeTime = 1_614_556_800
const stripeBody = '{"id":"evt_1","object":"event"}'

/** Signatures that the senders publish in their documentation; Stripe and GitLab publish none. */
const cases: Readonly<Record<string, Case>> = {
  'Standard Webhooks': {
    verification: { type: 'standard_webhooks' },
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    at: 1_614_265_330,
  },
  GitHub: {
    verification: { type: 'github' },
    secret: "It's a Secret to Everybody",
    body: 'Hello, World!',
    headers: {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    at: 0,
  },
  Slack: {
    verification: { type: 'slack' },
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    body: slackBody,
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    at: 1_531_420_618,
  },
  Shopify: {
    verification: { type: 'shopify' },
    secret: 'test-webhook-secret',
    body: '{"id":1234567890,"email":"customer@example.com","total_price":"123.45"}',
    headers: { 'x-shopify-hmac-sha256': 'QNyObTlKbMx2qDlPF/ZOZcBqg5OgPg+2oky3zldc0Gw=' },
    at: 0,
  },
  Stripe: {
    verification: { type: 'stripe' },
    secret: 'whsec_test_secret',
    body: stripeBody,
    headers: {
      'stripe-signature': `t=${stripeTime},v0=old,v1=${createHmac('sha256', 'whsec_test_secret').update(`${stripeTime}.${stripeBody}`).digest('hex')}`,
    },
    at: stripeTime,
  },
  GitLab: {
    verification: { type: 'gitlab' },
    secret: 'a-gitlab-secret',
    body: '{}',
    headers: { 'x-gitlab-token': 'a-gitlab-secret' },
    at: 0,
  },
  'a header': {
    verification: { type: 'header', header: 'X-Secret' },
    secret: 'a long secret',
    body: '',
    headers: { 'x-secret': 'a long secret' },
    at: 0,
  },
  // RFC 4231, test case 2.
  'an HMAC': {
    verification: { type: 'hmac', header: 'X-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'v=' },
    secret: 'Jefe',
    body: 'what do ya want for nothing?',
    headers: { 'x-signature': 'v=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' },
    at: 0,
  },
}

function check({ verification, secret, body, headers, at }: Case): boolean {
  return isGenuine(verification, { body: Buffer.from(body), headers }, { secret, now: new Date(at * 1000) })
}

describe.each(Object.entries(cases))('a request of %s', (_name, genuine) => {
  test('is genuine with the published signature', () => {
    expect(check(genuine)).toBe(true)
  })

  test('is refused with another secret, or none of its headers', () => {
    expect(check({ ...genuine, secret: `${genuine.secret.slice(0, -4)}AAAA` })).toBe(false)
    expect(check({ ...genuine, headers: {} })).toBe(false)
  })

  test('is refused when one byte is different', () => {
    const isSigned = !['header', 'gitlab'].includes(genuine.verification.type)
    expect(check({ ...genuine, body: `${genuine.body} ` })).toBe(!isSigned)
    const headers = Object.fromEntries(
      Object.entries(genuine.headers).map(([name, value]) => [name, `${value.slice(0, -2)}!!`]),
    )
    expect(check({ ...genuine, headers })).toBe(false)
  })

  test('is refused with a time of more than five minutes ago, where the time is signed', () => {
    const signsTime = ['standard_webhooks', 'slack', 'stripe'].includes(genuine.verification.type)
    for (const seconds of [-301, 301]) {
      expect(check({ ...genuine, at: genuine.at + seconds })).toBe(!signsTime)
    }
    expect(check({ ...genuine, at: genuine.at + 299 })).toBe(true)
  })

  test('keeps its secrets from the mapping', () => {
    expect(secretHeaders(genuine.verification).some((name) => name in genuine.headers)).toBe(true)
  })
})

test('Standard Webhooks accepts one of several signatures, during a rotation', () => {
  const genuine = cases['Standard Webhooks'] as Case
  const signature = genuine.headers['webhook-signature']
  const headers = { ...genuine.headers, 'webhook-signature': `v1,AAAA v1a,BBBB ${signature}` }
  expect(check({ ...genuine, headers })).toBe(true)
})

test.each([
  [{ type: 'github' }, { 'x-github-delivery': 'g-1' }, {}, 'g-1'],
  [{ type: 'standard_webhooks' }, { 'webhook-id': 'msg_1' }, {}, 'msg_1'],
  [{ type: 'stripe' }, {}, { id: 'evt_1' }, 'evt_1'],
  [{ type: 'slack' }, {}, { event_id: 'Ev1' }, 'Ev1'],
  [{ type: 'shopify' }, { 'x-shopify-webhook-id': 's-1' }, {}, 's-1'],
  [{ type: 'gitlab' }, { 'idempotency-key': 'l-1' }, {}, 'l-1'],
  [{ type: 'stripe' }, {}, { id: 7 }, undefined],
  [{ type: 'none' }, {}, { id: 'x' }, undefined],
] as const)('the delivery id of %j', (verification, headers, body, expected) => {
  expect(senderDeliveryId(verification, { body: Buffer.from(''), headers }, body)).toBe(expected)
})

test('only Slack has a challenge', () => {
  const body = { type: 'url_verification', challenge: 'abc' }
  expect(slackChallenge({ type: 'slack' }, body)).toBe('abc')
  expect(slackChallenge({ type: 'github' }, body)).toBeUndefined()
  expect(slackChallenge({ type: 'slack' }, { type: 'event_callback' })).toBeUndefined()
})
