import { expect, test } from 'vitest'
import { highestOf, placesAlone, stackValues, sumOf } from './time-series.ts'

test('bars are stacked in the order of their series, and lines are not', () => {
  expect(
    stackValues([
      { name: 'a', as: 'bars', values: [1, 2, null] },
      { name: 'b', values: [5, null, 5] },
      { name: 'c', as: 'bars', values: [1, 0, 3] },
    ]),
  ).toEqual([
    [1, 2, 0],
    [5, null, 5],
    [2, 2, 3],
  ])
})

test('isolated values are returned, because a line does not show them', () => {
  expect(placesAlone([1, null, 2, 3, null, 4])).toEqual([0, 5])
  expect(placesAlone([null, null])).toEqual([])
})

test('the highest value is found across all series', () => {
  expect(
    highestOf([
      [1, null],
      [null, 7],
    ]),
  ).toBe(7)
  expect(highestOf([[null]])).toBe(0)
})

test('a sum ignores what was not measured', () => {
  expect(sumOf([1, null, 2])).toBe(3)
})
