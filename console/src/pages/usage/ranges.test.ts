import { expect, test } from 'vitest'
import { dayOf, daysBefore, daysOf, listDays, readRange } from './ranges.ts'

test('a range ends today in UTC and has the given number of days', () => {
  const today = dayOf(new Date('2026-03-01T23:59:00+05:00'))
  expect(today).toBe('2026-03-01')
  expect(daysOf('today', today)).toEqual({ from: today, to: today })
  expect(daysOf('7d', today)).toEqual({ from: '2026-02-23', to: today })
  expect(listDays(daysOf('90d', today))).toHaveLength(90)
  expect(listDays(daysOf('7d', today)).slice(-2)).toEqual(['2026-02-28', '2026-03-01'])
})

test('the period before has as many days, right before', () => {
  const days = daysOf('7d', '2026-03-01')
  expect(daysBefore(days)).toEqual({ from: '2026-02-16', to: '2026-02-22' })
  expect(listDays(daysBefore(daysOf('90d', '2026-03-01')))).toHaveLength(90)
})

test('the default range and invalid ranges are left out', () => {
  expect([readRange('7d'), readRange('30d'), readRange('tomorrow')]).toEqual(['7d', undefined, undefined])
})
