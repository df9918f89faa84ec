import { Checkbox } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type Ref, Suspense, useCallback, useRef, useState } from 'react'
import { lazyPart } from '../shell/loading/lazy-part.tsx'
import styles from './LongTable.module.css'
import tableStyles from './Table.module.css'
import { type Column, ColumnHeader, minWidthStyle, PlaceholderRow, SortChoice } from './Table.tsx'
import type { Sort } from './table-sort.ts'

/** Longer tables render only the rows near the window. */
const maxPlainRows = 100

/** What the link of a row needs, so that all rows are one Tab stop. */
interface RowLinkProps {
  readonly 'data-row-link': string
  readonly tabIndex: number
}

interface LongTableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string
  /** The title of the first column, which has the link of each row. */
  readonly title: string
  /** The content of the first cell: a link with the given properties, and what belongs to it. */
  readonly lead: (row: Row, link: RowLinkProps) => ReactNode
  readonly nameOf: (row: Row) => string
  readonly columns: ReadonlyArray<Column<Row>>
  /** Undefined while the rows are loading. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
  /** Selects rows; without it they have no checkboxes. */
  readonly selection?: {
    readonly chosen: ReadonlySet<string>
    readonly onChange: (keys: ReadonlySet<string>) => void
  }
  /** Whether the list has rows that are not loaded. */
  readonly hasMore: boolean
}

/** What the body of a long table needs from its frame. */
export interface BodyProps {
  readonly keys: readonly string[]
  /** The index of the row with the focus; it stays rendered. */
  readonly focused: number
  readonly renderRow: (index: number, measure?: Ref<HTMLTableRowElement>) => ReactNode
  readonly columns: number
  /** Stores how a row is scrolled into view before it gets the focus. */
  readonly onScroller: (scrollTo: (index: number) => void) => void
}

const VirtualRows = lazyPart(() => import('./VirtualRows.tsx'))

const moves: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  PageDown: (index, last) => Math.min(index + 10, last),
  PageUp: (index) => Math.max(index - 10, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/**
 * A table of any length with links and checkboxes. The rows are one Tab stop: arrow keys, Home, End, Page up and Page down move between
 * them, Space selects, Shift with an arrow key extends the selection, and Enter follows the link.
 */
export function LongTable<Row>(props: LongTableProps<Row>) {
  const { label, title, columns, rows, rowKey, sort, onSort, selection, hasMore } = props
  const frame = useRef<HTMLDivElement>(null)
  const scroller = useRef<(index: number) => void>(undefined)
  const [focusedKey, setFocusedKey] = useState<string>()
  const keys = rows?.map(rowKey) ?? []
  const focused = Math.max(0, focusedKey === undefined ? 0 : keys.indexOf(focusedKey))
  const chosen = selection?.chosen
  const onScroller = useCallback((scrollTo: (index: number) => void) => {
    scroller.current = scrollTo
  }, [])

  function select(wanted: readonly string[], isChosen: boolean): void {
    if (selection === undefined) return
    const after = new Set(selection.chosen)
    for (const key of wanted) {
      if (isChosen) after.add(key)
      else after.delete(key)
    }
    selection.onChange(after)
  }

  function onKeyDown(press: KeyboardEvent<HTMLElement>): void {
    const from = (press.target as HTMLElement).closest<HTMLElement>('[data-row-link]')?.dataset['rowLink']
    const index = from === undefined ? -1 : keys.indexOf(from)
    if (index < 0 || from === undefined || press.ctrlKey || press.metaKey || press.altKey) return
    if (press.key === ' ' && selection !== undefined) {
      press.preventDefault()
      select([from], chosen?.has(from) !== true)
      return
    }
    const next = moves[press.key]?.(index, keys.length - 1)
    const key = next === undefined ? undefined : keys[next]
    if (next === undefined || key === undefined) return
    press.preventDefault()
    if (press.shiftKey) select(keys.slice(Math.min(index, next), Math.max(index, next) + 1), true)
    focusRow(next, key)
  }

  /** A row that is not rendered yet gets the focus in the next frame, after the table has scrolled to it. */
  function focusRow(index: number, key: string): void {
    setFocusedKey(key)
    const find = () => frame.current?.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(key)}"]`)
    const link = find()
    if (link) {
      link.focus()
      return
    }
    scroller.current?.(index)
    requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()))
  }

  const isAll = keys.length > 0 && keys.every((key) => chosen?.has(key))
  const isSome = !isAll && keys.some((key) => chosen?.has(key))
  const renderRow = (index: number, measure?: Ref<HTMLTableRowElement>) => {
    const row = rows?.[index]
    if (row === undefined) return null
    const key = rowKey(row)
    return (
      <LongRow
        key={key}
        table={props}
        row={row}
        index={index}
        measure={measure}
        isStop={index === focused}
        onFocus={() => setFocusedKey(key)}
        onChoose={(isChosen) => select([key], isChosen)}
      />
    )
  }
  const body = { keys, focused, renderRow, columns: columns.length + 1, onScroller }
  const plain = keys.slice(0, maxPlainRows).map((_, index) => renderRow(index))
  return (
    <div ref={frame} className={`${tableStyles['frame']} ${styles['frame']}`} data-many>
      <SortChoice columns={columns} sort={sort} onSort={onSort} />
      <table
        className={tableStyles['table']}
        role="table"
        aria-label={label}
        aria-busy={rows === undefined}
        aria-rowcount={hasMore ? -1 : keys.length + 1}
      >
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            <th role="columnheader" scope="col">
              <span className={styles['head']}>
                {selection === undefined ? null : (
                  <Checkbox
                    size="xs"
                    aria-label="Select all loaded rows"
                    checked={isAll}
                    indeterminate={isSome}
                    disabled={keys.length === 0}
                    onChange={({ currentTarget }) => select(keys, currentTarget.checked)}
                  />
                )}
                {title}
              </span>
            </th>
            {columns.map((column) => (
              <ColumnHeader key={column.title} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" onKeyDown={onKeyDown}>
          {rows === undefined
            ? Array.from({ length: 8 }, (_, index) => (
                <PlaceholderRow
                  key={`placeholder-${index}`}
                  columns={[{ title, cell: () => null }, ...columns]}
                />
              ))
            : null}
          {keys.length > maxPlainRows ? (
            <Suspense fallback={plain}>
              <VirtualRows {...body} />
            </Suspense>
          ) : (
            plain
          )}
        </tbody>
      </table>
    </div>
  )
}

interface LongRowProps<Row> {
  readonly table: LongTableProps<Row>
  readonly row: Row
  readonly index: number
  readonly measure: Ref<HTMLTableRowElement> | undefined
  readonly isStop: boolean
  readonly onFocus: () => void
  readonly onChoose: (isChosen: boolean) => void
}

function LongRow<Row>({ table, row, index, measure, isStop, onFocus, onChoose }: LongRowProps<Row>) {
  const { columns, rowKey, nameOf, lead, selection, title } = table
  const key = rowKey(row)
  const isChosen = selection?.chosen.has(key) === true
  return (
    <tr
      ref={measure}
      role="row"
      data-index={index}
      data-open={isChosen}
      aria-rowindex={index + 2}
      onFocus={onFocus}
    >
      <td role="cell" data-label={title} className={styles['lead'] ?? ''}>
        <span className={styles['cell']}>
          {selection === undefined ? null : (
            <Checkbox
              size="xs"
              aria-label={`Select ${nameOf(row)}`}
              checked={isChosen}
              tabIndex={isStop ? 0 : -1}
              onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
            />
          )}
          {lead(row, { 'data-row-link': key, tabIndex: isStop ? 0 : -1 })}
        </span>
      </td>
      {columns.map(({ title: name, cell, numeric, minWidth, minor }) => (
        <td
          key={name}
          role="cell"
          data-label={name}
          data-numeric={numeric}
          data-minor={minor}
          {...(minWidth === undefined ? {} : { style: minWidthStyle(minWidth) })}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}
