import { expect, test } from 'vitest'
import { askedSince, failedToday, nextOf, startOfDay } from './use-today.ts'

const midnight = new Date(2026, 10, 15)
const at = (day: number, hour: number) => ({
  finished_at: new Date(2026, 10, day, hour).getTime() / 1000,
})

test('lists the executions that failed since midnight, latest first', () => {
  const executions = [at(15, 1), at(14, 23), at(15, 8), { finished_at: null }]
  expect(failedToday({ executions, total: 4 }, midnight)).toEqual({
    executions: [at(15, 8), at(15, 1)],
    isAtLeast: false,
  })
})

test('reports that more executions may have failed than were read', () => {
  expect(failedToday({ executions: [at(15, 1)], total: 2 }, midnight).isAtLeast).toBe(true)
})

test('reads executions from the previous day on', () => {
  expect(startOfDay(new Date(2026, 10, 15, 9, 30))).toEqual(midnight)
  expect(askedSince(midnight)).toBe(new Date(2026, 10, 14).toISOString())
})

test('lists the next runs, soonest first and up to the limit, without schedules that never run again', () => {
  const schedules = [30, null, 10, 20].map((next_run_at) => ({ next_run_at }))
  expect(nextOf(schedules, 2)).toEqual([{ next_run_at: 10 }, { next_run_at: 20 }])
})
