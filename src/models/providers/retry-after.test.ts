import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const now = Date.parse('2026-11-15T10:00:00Z')

test.each([
  ['7', 7],
  ['0', 0],
  [' 12 ', 12],
  ['0.4', 1],
  ['999999999', 86_400],
  ['Sun, 15 Nov 2026 10:00:30 GMT', 30],
  ['Sun, 15 Nov 2026 09:00:00 GMT', 0],
  ['Sunday, 15-Nov-26 10:01:00 GMT', 60],
  ['-5', undefined],
  ['soon', undefined],
  ['2026', 2026],
  ['', undefined],
  [undefined, undefined],
])('%s means %s seconds', (value, seconds) => {
  expect(readRetryAfter(value, now)).toBe(seconds)
})
