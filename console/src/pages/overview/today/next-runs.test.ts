import { expect, test } from 'vitest'
import { nextOf } from './next-runs.ts'

test('the soonest come first, what never comes again is left out, and no more than asked for', () => {
  const schedules = [30, null, 10, 20].map((next_run_at) => ({ next_run_at }))
  expect(nextOf(schedules, 2)).toEqual([{ next_run_at: 10 }, { next_run_at: 20 }])
})
