import { expect, test } from 'vitest'
import { labelledPlaces } from './draw-plot.ts'

const quarters = Array.from({ length: 96 }, (_, place) => {
  const hour = String((21 + Math.floor((place + 2) / 4)) % 24).padStart(2, '0')
  return `${hour}:${String(((place + 2) % 4) * 15).padStart(2, '0')}`
})

test.each([1102, 600, 324])('the axis of a day has full hours at equal distances, %d px wide', (width) => {
  const shown = labelledPlaces(quarters, width)
  expect(shown.length).toBeGreaterThan(1)
  expect(shown.every((place) => quarters[place]?.endsWith(':00'))).toBe(true)
  expect(new Set(shown.slice(1).map((place, index) => place - (shown[index] ?? 0))).size).toBe(1)
})

test('the axis of days has the last day', () => {
  const days = Array.from({ length: 30 }, (_, day) => `${day + 1} Nov`)
  expect(labelledPlaces(days, 800).at(-1)).toBe(29)
})
