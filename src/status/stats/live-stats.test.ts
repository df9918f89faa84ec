import { expect, test } from 'vitest'
import { describeBytes } from '../probes/bytes.ts'
import { describeDuration } from './live-stats.ts'

test.each([
  [0, '0s'],
  [59, '59s'],
  [60, '1m 0s'],
  [3725, '1h 2m'],
  [86_400, '1d 0h'],
  [10 * 86_400 + 5 * 3600 + 59, '10d 5h'],
])('%i seconds are %s', (seconds, text) => {
  expect(describeDuration(seconds)).toBe(text)
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [512_300_000, '512.3 MB'],
  [4_100_000_000, '4.1 GB'],
  [5e15, '5000.0 TB'],
])('%i bytes are %s', (bytes, text) => {
  expect(describeBytes(bytes)).toBe(text)
})
