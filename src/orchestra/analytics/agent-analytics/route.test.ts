import { describe, expect, test } from 'vitest'
import { dailyAverage, projectMonth } from './route.ts'

const hourMs = 3_600_000
const now = new Date('2026-03-31T12:34:56Z')
const thisHour = new Date('2026-03-31T12:00:00Z').getTime()

/** Hours up to the current one, each with a cost by its distance from now. */
function hoursBack(count: number, spent: (ago: number) => number) {
  return Array.from({ length: count }, (_, index) => {
    const ago = count - 1 - index
    return { at: new Date(thisHour - ago * hourMs), completed: 1, failed: 0, spent: spent(ago) }
  })
}

describe('the projected cost of a month', () => {
  test('is null without history', () => {
    expect(projectMonth([], now)).toBeNull()
    expect(dailyAverage([], now)).toBeNull()
  })

  test('is thirty average days with little history, and the first day counts as a whole day', () => {
    const hours = hoursBack(6, () => 100)
    expect(dailyAverage(hours, now)).toBe(600)
    expect(projectMonth(hours, now)).toEqual({
      microDollars: 18_000,
      method: 'daily_average',
      confidence: null,
    })
  })

  test('continues a constant daily pattern', () => {
    const nightly = hoursBack(10 * 24, (ago) =>
      new Date(thisHour - ago * hourMs).getUTCHours() < 6 ? 50 : 0,
    )
    const projection = projectMonth(nightly, now)
    expect(projection?.method).toBe('seasonal_smoothing')
    expect(projection?.microDollars).toBeCloseTo(30 * 6 * 50, 0)
    expect(projection?.confidence).toBeCloseTo(1, 2)
  })

  test('is above the average when the last days cost more', () => {
    const growing = hoursBack(10 * 24, (ago) => (ago < 3 * 24 ? 100 : 10))
    const mean = ((3 * 100 + 7 * 10) / 10) * 24 * 30
    expect(projectMonth(growing, now)?.microDollars).toBeGreaterThan(1.5 * mean)
    expect(projectMonth(growing, now)?.confidence).toBeLessThan(1)
  })

  test('has a daily average over the last week only', () => {
    const hours = hoursBack(20 * 24, (ago) => (ago <= 7 * 24 ? 10 : 1000))
    expect(dailyAverage(hours, now)).toBeCloseTo((10 * (7 * 24 + 1)) / 7)
  })
})
