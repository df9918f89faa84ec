import { expect, test } from 'vitest'
import { localTime } from './describe.ts'

test.each([
  ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29T01:59:59+01:00'],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29T03:00:00+02:00'],
  ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-01T01:30:00-04:00'],
  ['2026-11-01T06:30:00Z', 'America/New_York', '2026-11-01T01:30:00-05:00'],
  ['2026-01-01T00:00:00Z', 'Asia/Kolkata', '2026-01-01T05:30:00+05:30'],
  ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01T00:00:00+00:00'],
])('%s in %s is %s', (moment, timezone, local) => {
  expect(localTime(new Date(moment), timezone)).toBe(local)
  expect(Date.parse(local)).toBe(Date.parse(moment))
})
