import { expect, test } from 'vitest'
import { classifyResponse, payloadOf } from './send-slack.ts'

test('mentions, named links and markup in a text are escaped', () => {
  const {
    channel,
    text,
    mrkdwn,
    link_names: names,
  } = payloadOf('#ops', '<!channel> <@U1> <https://evil.example|our site> & *bold*')
  expect([channel, text]).toEqual([
    '#ops',
    '&lt;!channel&gt; &lt;@U1&gt; &lt;https://evil.example|our site&gt; &amp; *bold*',
  ])
  expect([mrkdwn, names]).toEqual([false, false])
})

test.each([
  [200, 'ok', { arrived: true }],
  [404, 'channel_not_found', { isFinal: true }],
  [410, 'channel_is_archived\n', { isFinal: true }],
  [400, 'invalid_payload', { isFinal: true }],
  [404, 'no_service', { isFinal: false }],
  [403, 'invalid_token', { isFinal: false }],
  [302, '', { isFinal: false, problem: 'Slack responded with 302' }],
  [500, 'channel_not_found', { isFinal: false }],
  [500, 'rollup_error', { isFinal: false, problem: 'Slack responded with 500: rollup_error' }],
])('status %s with body %j', (status, text, expected) => {
  expect(classifyResponse(status, text, undefined)).toMatchObject(expected)
})

test('a Retry-After header sets the pause', () => {
  expect(classifyResponse(429, 'rate_limited', '30')).toMatchObject({ isFinal: false, retryAfterMs: 30_000 })
  expect(classifyResponse(429, 'rate_limited', 'soon')).toMatchObject({ retryAfterMs: undefined })
})
