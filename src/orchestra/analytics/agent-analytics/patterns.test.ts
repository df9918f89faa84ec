import { describe, expect, test } from 'vitest'
import { describePatterns } from './patterns.ts'

const dayMs = 86_400_000
const at = new Date('2026-03-31T12:34:56Z')
const today = new Date('2026-03-31T00:00:00Z').getTime()

const nothing = {
  agents: new Map(),
  agentsBefore: new Map(),
  hours: [],
  days: [],
  flows: [],
  errors: [],
  period: { from: new Date(at.getTime() - dayMs), to: undefined },
  periodBefore: { from: new Date(at.getTime() - 2 * dayMs), to: new Date(at.getTime() - dayMs) },
  at,
  completeAt: at,
}

/** Days back from today with so many runs each. */
function daysBack(count: number, runs: (day: Date) => number) {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(today - (count - 1 - index) * dayMs)
    return { at: day, completed: runs(day), failed: 0, spent: 0 }
  })
}

function isWeekend(day: Date): boolean {
  return [0, 6].includes(day.getUTCDay())
}

function hour(text: string, completed: number) {
  return { at: new Date(text), completed, failed: 1, spent: 0 }
}

describe('usage patterns', () => {
  test('are empty without executions', () => {
    expect(describePatterns(nothing)).toEqual({
      peak_hours: {},
      common_workflows: {},
      failure_patterns: {},
      seasonal_trends: { weekday_avg: null, weekend_avg: null, monthly_pattern: {} },
    })
  })

  test('average complete weekdays and weekend days, including days without executions', () => {
    const all = daysBack(60, (day) => (day.getTime() === today ? 1000 : isWeekend(day) ? 2 : 10))
    const quietOnMondays = all.filter((day) => day.at.getUTCDay() !== 1)
    const { seasonal_trends: seasons } = describePatterns({ ...nothing, days: quietOnMondays })
    expect(seasons.weekday_avg).toBe(8)
    expect(seasons.weekend_avg).toBe(2)
    expect(Object.keys(seasons.monthly_pattern)).toEqual(['2026-01', '2026-02', '2026-03'])
  })

  test('start with the first day that has data', () => {
    const { seasonal_trends: seasons } = describePatterns({ ...nothing, days: daysBack(2, () => 6) })
    expect(seasons).toEqual({ weekday_avg: 6, weekend_avg: null, monthly_pattern: { '2026-03': 12 } })
  })

  test('list the most frequent failures first, with their workflows', () => {
    const errors = [
      { flowId: 'one', code: 'PROVIDER_UNAVAILABLE', executions: 2 },
      { flowId: 'two', code: 'VALIDATION_FAILED', executions: 5 },
      { flowId: 'one', code: 'VALIDATION_FAILED', executions: 1 },
    ]
    const { failure_patterns: failures } = describePatterns({ ...nothing, errors })
    expect(Object.entries(failures)).toEqual([
      ['VALIDATION_FAILED', { executions: 6, share: 75, workflows: ['two', 'one'] }],
      ['PROVIDER_UNAVAILABLE', { executions: 2, share: 25, workflows: ['one'] }],
    ])
  })

  test('add up the same hour of several days', () => {
    const hours = [
      hour('2026-03-29T09:00:00Z', 4),
      hour('2026-03-30T09:00:00Z', 4),
      hour('2026-03-30T14:00:00Z', 8),
      hour('2026-03-30T15:00:00Z', 1),
      hour('2026-03-30T16:00:00Z', 0),
    ]
    expect(Object.entries(describePatterns({ ...nothing, hours }).peak_hours)).toEqual([
      ['09:00', 10],
      ['14:00', 9],
      ['15:00', 2],
    ])
  })
})
