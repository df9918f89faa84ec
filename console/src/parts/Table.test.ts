import { expect, test } from 'vitest'
import { type Column, sortByColumn, withoutValues } from './Table.tsx'

interface Row {
  readonly name: string
  readonly size: number | null
}

const rows: readonly Row[] = [
  { name: 'b', size: 1 },
  { name: 'a', size: null },
  { name: 'c', size: 2 },
]
const columns: ReadonlyArray<Column<Row>> = [
  { title: 'Name', value: ({ name }) => name, cell: ({ name }) => name },
  { title: 'Size', id: 'bytes', value: ({ size }) => size, cell: ({ size }) => size },
]
const names = (sorted: readonly Row[]) => sorted.map(({ name }) => name).join('')

test('rows are sorted by the column of the order, by its id or its title', () => {
  expect(names(sortByColumn(rows, columns, { by: 'name', descending: false }))).toBe('abc')
  expect(names(sortByColumn(rows, columns, { by: 'bytes', descending: true }))).toBe('cba')
  expect(names(sortByColumn(rows, columns, undefined))).toBe('bac')
})

test('one page of a list keeps the order of the server', () => {
  const sort = { by: 'name', descending: false }
  expect(names(sortByColumn(rows, withoutValues(columns), sort))).toBe('bac')
})
