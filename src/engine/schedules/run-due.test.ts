import { expect, test } from 'vitest'
import { dueExecutionId } from './run-due.ts'

const schedule = '0198f6a2-7c00-7000-8000-000000000001'
const other = '0198f6a2-7c00-7000-8000-000000000002'
const nine = new Date('2026-05-01T09:00:00Z')
const ten = new Date('2026-05-01T10:00:00Z')

test('an execution of a schedule has the same id on every start', () => {
  expect(dueExecutionId(schedule, nine)).toBe(dueExecutionId(schedule, new Date(nine)))
  expect(dueExecutionId(schedule, nine)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})

test('another schedule or another time has another id', () => {
  expect(
    new Set([dueExecutionId(schedule, nine), dueExecutionId(other, nine), dueExecutionId(schedule, ten)])
      .size,
  ).toBe(3)
})

test('ids sort by their times', () => {
  expect(dueExecutionId(schedule, nine) < dueExecutionId(schedule, ten)).toBe(true)
  expect(dueExecutionId(other, nine) < dueExecutionId(schedule, ten)).toBe(true)
})
