import { expect, test } from 'vitest'
import { describeLine, describeMilliseconds, describeNodeState, describeReason } from './node-words.ts'

test.each([
  [0.4, '0.4 ms'],
  [9.9, '9.9 ms'],
  [12.34, '12 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [2345, '2.3 s'],
  [61_000, '61 s'],
])('%d milliseconds are formatted as %s', (ms, words) => {
  expect(describeMilliseconds(ms)).toBe(words)
})

test('the reason of a draining node includes its remaining requests, that of any failing node its error', () => {
  const node = { status: 'draining', active_connections: 2, last_error: null } as const
  expect(describeReason(node)).toBe('2 requests left')
  expect(describeReason({ ...node, active_connections: 1 })).toBe('1 request left')
  expect(describeReason({ ...node, active_connections: 0 })).toBe('0 requests left')
  const failed = { ...node, last_error: 'connection refused' }
  expect(describeReason(failed)).toBe('2 requests left, connection refused')
  expect(describeReason({ ...failed, status: 'unhealthy' })).toBe('connection refused')
  expect(describeReason({ ...node, status: 'healthy' })).toBeUndefined()
})

test('an unknown node is shown as being checked while its check is pending', () => {
  expect(describeNodeState('unknown', false).word).toBe('Not checked yet')
  expect(describeNodeState('unknown', true).word).toBe('Checking')
  expect(describeNodeState('asleep', true)).toEqual({ tone: 'idle', word: 'asleep' })
})

test('a sparkline is described by its latest and highest value; an outdated latest value is left out', () => {
  expect(describeLine([900, null, 12])).toBe('latest 12 ms, max 900 ms')
  expect(describeLine([900, ...Array.from({ length: 12 }, () => null)])).toBe('max 900 ms')
  expect(describeLine([null])).toBe('not measured')
})
