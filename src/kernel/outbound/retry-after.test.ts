import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const now = new Date('2026-11-15T12:00:00Z')

test.for([
  ['120', 120_000],
  [' 0 ', 0],
  ['0.4', 400],
  ['2026', 2_026_000],
  [['7', '9'], 7000],
  ['Sun, 15 Nov 2026 12:00:30 GMT', 30_000],
  ['Sunday, 15-Nov-26 12:01:00 GMT', 60_000],
  ['Sun Nov 15 12:00:05 2026 GMT', 5000],
  ['Sun, 15 Nov 2020 12:00:30 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['', undefined],
  ['Sun, never', undefined],
  [undefined, undefined],
] as const)('Retry-After: %s', ([header, milliseconds]) => {
  expect(readRetryAfter(header, now)).toBe(milliseconds)
})
