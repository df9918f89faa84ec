import { expect, test } from 'vitest'
import { drawLine, highestOf, placesAlone, pointOf } from './LineChart.tsx'

const size = { width: 100, height: 50 }

test('a point is in the middle of its column, at the height of its share of the maximum', () => {
  expect(pointOf(0, 10, 4, size, 20)).toEqual({ x: 12.5, y: 25 })
  expect(pointOf(3, 20, 4, size, 20)).toEqual({ x: 87.5, y: 0 })
})

test('a line connects the values', () => {
  expect(drawLine([0, 10], size, 10)).toBe('M25 50L75 0')
})

test('a line is interrupted where no value was measured', () => {
  expect(drawLine([null, 10, null, 0, 5], size, 10)).toBe('M30 0M70 50L90 25')
  expect(drawLine([null, null], size, 10)).toBe('')
})

test('isolated values are returned, because a line does not show them', () => {
  expect(placesAlone([1, null, 2, 3, null, 4])).toEqual([0, 5])
  expect(placesAlone([null, null])).toEqual([])
})

test('the highest value is found across all series', () => {
  expect(
    highestOf([
      { name: 'a', values: [1, null] },
      { name: 'b', values: [null, 7] },
    ]),
  ).toBe(7)
  expect(highestOf([{ name: 'a', values: [null] }])).toBe(0)
})
