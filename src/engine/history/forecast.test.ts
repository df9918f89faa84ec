import { describe, expect, test } from 'vitest'
import { forecastHours } from './forecast.ts'

/** Busy by day, quiet by night. */
const habit = (hour: number) => (hour % 24 >= 8 && hour % 24 < 18 ? 100 : 5)
const isWeekend = (hour: number) => Math.floor(hour / 24) % 7 >= 5

describe('the next hours', () => {
  test('repeat the habits of the day', () => {
    const hours = Array.from({ length: 10 * 24 }, (_, hour) => habit(hour))
    const forecast = forecastHours(hours, 24)
    expect(forecast?.seasonHours).toBe(24)
    for (const [hour, value] of forecast?.expected.entries() ?? []) expect(value).toBeCloseTo(habit(hour), 0)
    expect(forecast?.dayError).toBeCloseTo(0, 2)
  })

  test('repeat the habits of the week once three are known', () => {
    const hours = Array.from({ length: 24 * 7 * 4 }, (_, hour) => (isWeekend(hour) ? 0 : habit(hour)))
    const forecast = forecastHours(hours, 24 * 7)
    expect(forecast?.seasonHours).toBe(168)
    expect(forecast?.expected[5 * 24 + 12]).toBeCloseTo(0, 0)
    expect(forecast?.expected[12]).toBeCloseTo(100, 0)
  })

  test('follow a level that has changed', () => {
    const hours = Array.from({ length: 20 * 24 }, (_, hour) => (hour < 10 * 24 ? 10 : 50))
    const [next = 0] = forecastHours(hours, 1)?.expected ?? []
    expect(next).toBeGreaterThan(45)
  })

  test('are less sure when days differ', () => {
    let seed = 1
    const chance = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const wild = Array.from({ length: 15 }, () => chance() * 100)
    const hours = Array.from({ length: 15 * 24 }, (_, hour) => wild[Math.floor(hour / 24)] ?? 0)
    expect(forecastHours(hours, 24)?.dayError).toBeGreaterThan(0.2)
    expect(forecastHours(hours, 24)?.margin).toBeGreaterThan(10)
  })

  test('are not made up without three days, or when nothing happened', () => {
    expect(forecastHours(Array.from({ length: 71 }, habit), 24)).toBeUndefined()
    expect(
      forecastHours(
        Array.from({ length: 200 }, () => 0),
        24,
      ),
    ).toBeUndefined()
  })
})
