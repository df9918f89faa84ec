import { expect, test } from 'vitest'
import { nextOf } from './next-runs.ts'

test('lists the next runs, soonest first and up to the limit, without schedules that never run again', () => {
  const schedules = [30, null, 10, 20].map((next_run_at) => ({ next_run_at }))
  expect(nextOf(schedules, 2)).toEqual([{ next_run_at: 10 }, { next_run_at: 20 }])
})
