import { expect, test } from 'vitest'
import type { Column } from './Table.tsx'
import { canFilter, filterRows } from './table-filter.ts'

interface Row {
  readonly name: string
  readonly id: string
  readonly size: number
  readonly at: string
}

const rows: readonly Row[] = [
  { name: 'Nightly Report', id: 'report-1', size: 20, at: '2026-11-17T10:00:00Z' },
  { name: 'Translate', id: 'translate', size: 2026, at: '2026-11-16T10:00:00Z' },
]
const columns: ReadonlyArray<Column<Row>> = [
  {
    title: 'Name',
    value: ({ name }) => name,
    text: ({ name, id }) => `${name} ${id}`,
    cell: ({ name }) => name,
  },
  { title: 'Size', value: ({ size }) => size, numeric: true, cell: ({ size }) => size },
  { title: 'Changed', value: ({ at }) => at, numeric: true, cell: ({ at }) => at },
]
const found = (text: string | undefined) => filterRows(rows, columns, text).map(({ id }) => id)

test('a filter finds rows by every word in their texts, in any case', () => {
  expect(found('report')).toEqual(['report-1'])
  expect(found('  TRANS  ')).toEqual(['translate'])
  expect(found('report nightly')).toEqual(['report-1'])
  expect(found('report translate')).toEqual([])
})

test('without a text all rows stay', () => {
  expect(found(undefined)).toEqual(['report-1', 'translate'])
  expect(found('  ')).toEqual(['report-1', 'translate'])
})

test('numbers and times are not searched', () => {
  expect(found('2026')).toEqual([])
  expect(canFilter(columns)).toBe(true)
  expect(canFilter(columns.slice(1))).toBe(false)
})
