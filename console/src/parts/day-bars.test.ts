import { describe, expect, test } from 'vitest'
import { dayAt, pickLabels, roundUp, stackBars, sumOfDay } from './day-bars.ts'

const series = [
  { name: 'gemma3:4b', values: [10, 0, 30] },
  { name: 'builtin:text', values: [10, 0, 0.0001] },
]

describe('stackBars', () => {
  test('stacks the series of a day, and draws no bar for 0', () => {
    const bars = stackBars(series, 3, { width: 300, height: 100 }, 40)
    expect(bars.filter(({ day }) => day === 0)).toMatchObject([
      { series: 0, y: 75, height: 25 },
      { series: 1, y: 50, height: 25 },
    ])
    expect(bars.filter(({ day }) => day === 1)).toEqual([])
  })

  test('draws small values with the minimum height', () => {
    const bars = stackBars(series, 3, { width: 300, height: 100 }, 40)
    expect(bars.find(({ day, series: index }) => day === 2 && index === 1)?.height).toBe(1)
  })

  test('centres a bar in its day, and limits its width', () => {
    const [bar] = stackBars(series, 3, { width: 300, height: 100 }, 40)
    expect(bar).toMatchObject({ x: 34, width: 32 })
  })
})

test('a position in the plot belongs to a day, also beyond its edges', () => {
  expect([-5, 0, 99, 100, 299, 400].map((x) => dayAt(x, 3, 300))).toEqual([0, 0, 0, 1, 2, 2])
})

test('the sum of a day adds all its series', () => {
  expect(sumOfDay(series, 0)).toBe(20)
})

test('the axis ends at a round number', () => {
  expect([0, 0.7, 1, 37, 41, 1204, 990_000].map(roundUp)).toEqual([1, 0.8, 1, 40, 50, 1500, 1_000_000])
})

describe('pickLabels', () => {
  test('labels as many days as fit, and always the last one', () => {
    expect(pickLabels(7, 700)).toEqual([0, 1, 2, 3, 4, 5, 6])
    const few = pickLabels(90, 320)
    expect(few.length).toBeLessThanOrEqual(5)
    expect(few.at(-1)).toBe(89)
  })
})
