import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { readText } from './read-search.ts'
import { readSort, type Sort, writeSort } from './table-sort.ts'

/** The order and the text filter of a table. */
interface TableState {
  readonly sort: Sort | undefined
  readonly text: string | undefined
  readonly onSort: (sort: Sort | undefined) => void
  readonly onFilter: (text: string | undefined) => void
}

const maxText = 200

/** The state of a table: in the address when the table has a name there, otherwise for as long as it is shown. */
export function useTableState(name: string | undefined, columns: readonly string[]): TableState {
  const [own, setOwn] = useState<Pick<TableState, 'sort' | 'text'>>({ sort: undefined, text: undefined })
  const keys = keysOf(name ?? '')
  const sortText = useAddressText(keys.sort)
  const filterText = useAddressText(keys.filter)
  const navigate = useNavigate()
  if (name === undefined) {
    return {
      ...own,
      onSort: (sort) => setOwn((before) => ({ ...before, sort })),
      onFilter: (text) => setOwn((before) => ({ ...before, text })),
    }
  }
  const change = (key: string, value: string | undefined) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, [key]: value }),
      replace: true,
      resetScroll: false,
    } as Parameters<typeof navigate>[0])
  return {
    sort: readSort(sortText, columns),
    text: filterText,
    onSort: (sort) => change(keys.sort, writeSort(sort)),
    onFilter: (text) => change(keys.filter, text?.slice(0, maxText)),
  }
}

/** The only table of a page has the name `main`, and no name in the address. */
function keysOf(name: string) {
  const prefix = name === 'main' ? '' : `${name}.`
  return { sort: `${prefix}sort`, filter: `${prefix}filter` }
}

/** Routes do not list the parameters of tables, so they are read without their types. */
function useAddressText(key: string): string | undefined {
  return useSearch({
    strict: false,
    select: (search) => readText((search as Record<string, unknown>)[key])?.slice(0, maxText),
  })
}
