import { expect, test } from 'vitest'
import { progressIntervalMs } from './progress-interval.ts'

const url = 'https://example.com/hook'
const input = (callbacks: object) => ({ callbacks: { ...callbacks }, options: {} })

test('progress comes by the clock when an interval is given', () => {
  const every = (interval: unknown, more: object = {}) =>
    progressIntervalMs(input({ webhook_url: url, progress_interval: interval, ...more }))
  expect([every(30), every('30s'), every('5m'), every('2h')]).toEqual([30_000, 30_000, 300_000, 7_200_000])
  expect([every(undefined), every('often'), every(30, { progress_callbacks: false })]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(progressIntervalMs(input({ progress_interval: 30 }))).toBeUndefined()
})
