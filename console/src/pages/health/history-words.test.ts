import { expect, test } from 'vitest'
import { barsOf, describePercentile, describeUptime, sumPoints, wholeOf } from './history-words.ts'

test('bars keep their counts, and are labelled by their period', () => {
  const counts = { uptime: 50, checks: 2, online: 1, degraded: 0, offline: 1, average_ms: 3 }
  const [bar] = barsOf({ bars: [{ at: '2026-11-15T00:00:00.000Z', state: 'degraded', ...counts }] }, '90d')
  expect(bar).toMatchObject({ online: 1, degraded: 0, offline: 1 })
  expect(bar?.name).toMatch(/15/)
})

test('uptime counts all checks that were not offline; a dash without checks', () => {
  expect(describeUptime({ checks: 200, offline: 1 })).toBe('99.50 %')
  expect(describeUptime({ checks: 0, offline: 0 })).toBe('–')
})

test.each([
  [null, '–'],
  [0.26, '0.3 ms'],
  [12.4, '12 ms'],
  [2345, '2.3 s'],
])('%s milliseconds are formatted as %s', (ms, words) => {
  expect(describePercentile(ms)).toBe(words)
})

test('a time range has a title', () => {
  expect(wholeOf('30d')).toBe('30 days')
})

const quiet = { requests: 0, average_ms: null, max_ms: null, input_tokens: 0, output_tokens: 0 }

test('the average response time is weighted by the number of requests', () => {
  const sums = sumPoints([
    { requests: 1, average_ms: 100, max_ms: 100, input_tokens: 5, output_tokens: 1 },
    quiet,
    { requests: 9, average_ms: 10, max_ms: 30, input_tokens: 7, output_tokens: 2 },
  ])
  expect(sums).toEqual({ averageMs: 19, maxMs: 100, inputTokens: 12, outputTokens: 3 })
})

test('the response times are null without responses', () => {
  expect(sumPoints([quiet])).toMatchObject({ averageMs: null, maxMs: null })
})
