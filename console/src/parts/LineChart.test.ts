import { expect, test } from 'vitest'
import { drawLine, highestOf, placesAlone, pointOf } from './LineChart.tsx'

const size = { width: 100, height: 50 }

test('a value stands in the middle of its part of the width, as high as its share of the top', () => {
  expect(pointOf(0, 10, 4, size, 20)).toEqual({ x: 12.5, y: 25 })
  expect(pointOf(3, 20, 4, size, 20)).toEqual({ x: 87.5, y: 0 })
})

test('a line goes from value to value', () => {
  expect(drawLine([0, 10], size, 10)).toBe('M25 50L75 0')
})

test('a line breaks where nothing was measured', () => {
  expect(drawLine([null, 10, null, 0, 5], size, 10)).toBe('M30 0M70 50L90 25')
  expect(drawLine([null, null], size, 10)).toBe('')
})

test('values with none beside them are known, for a line would not show them', () => {
  expect(placesAlone([1, null, 2, 3, null, 4])).toEqual([0, 5])
  expect(placesAlone([null, null])).toEqual([])
})

test('the highest value is that of any series', () => {
  expect(
    highestOf([
      { name: 'a', values: [1, null] },
      { name: 'b', values: [null, 7] },
    ]),
  ).toBe(7)
  expect(highestOf([{ name: 'a', values: [null] }])).toBe(0)
})
