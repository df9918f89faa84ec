import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { nextSort, readSort, type SortValue, sortRows, writeSort } from './table-sort.ts'

const identity = (value: SortValue) => value

test('sorts texts as people do, and keeps the order of equal rows', () => {
  const rows = ['step 10', 'Step 2', 'éclair', 'apple', 'Zebra']
  expect(sortRows(rows, identity, false)).toEqual(['apple', 'éclair', 'Step 2', 'step 10', 'Zebra'])
  const equal = [
    { id: 1, name: 'a' },
    { id: 2, name: 'A' },
  ]
  expect(sortRows(equal, ({ name }) => name, true).map(({ id }) => id)).toEqual([1, 2])
})

test('rows without a value come last in both directions', () => {
  expect(sortRows([null, 2, null, 1], identity, false)).toEqual([1, 2, null, null])
  expect(sortRows([null, 2, null, 1], identity, true)).toEqual([2, 1, null, null])
})

test('numbers are sorted like a plain sort, and no row is lost', () => {
  assert(
    property(array(integer()), (rows) => {
      expect(sortRows(rows, identity, false)).toEqual(rows.toSorted((one, other) => one - other))
      expect(sortRows(rows, identity, true)).toEqual(rows.toSorted((one, other) => other - one))
    }),
  )
})

test('a column is pressed through both directions, and back to the order of the list', () => {
  const column = { by: 'name', descending: false }
  const first = nextSort(undefined, column)
  expect(first).toEqual(column)
  const second = nextSort(first, column)
  expect(second).toEqual({ by: 'name', descending: true })
  expect(nextSort(second, column)).toBe(undefined)
  expect(nextSort(second, { by: 'cost', descending: true })).toEqual({ by: 'cost', descending: true })
})

test.each(['name', '-name'])('the address keeps %s', (text) => {
  expect(writeSort(readSort(text, ['name', 'cost']))).toBe(text)
})

test.each(['size', '--name', '', 7, undefined])('the address %j sorts nothing', (text) => {
  expect(readSort(text, ['name'])).toBe(undefined)
})
