import { UnstyledButton } from '@mantine/core'
import { type CSSProperties, memo, type ReactNode, useMemo, useState } from 'react'
import { Skeleton } from './Skeleton.tsx'
import styles from './Table.module.css'
import { nextSort, readSort, type Sort, type SortValue, sortRows, writeSort } from './table-sort.ts'
import { type RowKey, useRowFocus } from './use-row-focus.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Aligns numbers at the right, so that their digits line up. */
  readonly numeric?: boolean
  /** The minimum width in pixels: short words stay unbroken beside a long text. */
  readonly minWidth?: number
  /** Hides the column where the table is too narrow for it, but still too wide to become a list. */
  readonly minor?: boolean
  /** Hides the title of a column of controls visually; screen readers still read it. */
  readonly quiet?: boolean
  /** The width of the placeholder bar in this cell while rows are loading. */
  readonly placeholderWidth?: number
  /** The name of the column in the address and in `Sort`; the title unless given. */
  readonly id?: string
  /** Makes the column sortable in the browser. Only for lists that are loaded as a whole. */
  readonly value?: (row: Row) => SortValue
}

interface TableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  /** Undefined while the rows are loading. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string | number
  readonly placeholderRows?: number
  /** Opens the details of a row; the first cell becomes the button for it. */
  readonly onOpen?: (row: Row) => void
  readonly isOpen?: (row: Row) => boolean
  /** Whether a row arrived while the page was open; such rows are highlighted once. */
  readonly isFresh?: (row: Row) => boolean
  /** The order of the rows, when the page keeps it, such as in the address; otherwise the table keeps it itself. */
  readonly sort?: Sort | undefined
  readonly onSort?: (sort: Sort | undefined) => void
}

/**
 * A dense table that becomes a list of labelled values where it is narrow. The ARIA roles are explicit because browsers drop
 * the native ones from a table with another display value.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rowKey, placeholderRows = 3, onOpen, isOpen, isFresh } = props
  const { rows, sort, onSort } = useSortedRows(props)
  const rowFocus = useRowFocus(onOpen === undefined ? [] : (rows ?? []).map(rowKey))
  return (
    <div className={styles['frame']} data-many={columns.length > 4}>
      <SortChoice columns={columns} sort={sort} onSort={onSort} />
      <table className={styles['table']} role="table" aria-label={label} aria-busy={rows === undefined}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <ColumnHeader key={column.title} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" onKeyDown={rowFocus.onKeyDown}>
          {rows === undefined
            ? Array.from({ length: placeholderRows }, (_, index) => (
                <PlaceholderRow key={`placeholder-${index}`} columns={columns} />
              ))
            : rows.map((row) => {
                const key = rowKey(row)
                return (
                  <TableRow
                    key={key}
                    row={row}
                    rowKey={key}
                    columns={columns}
                    onOpen={onOpen}
                    onFocusRow={rowFocus.onFocusRow}
                    isStop={key === rowFocus.stop}
                    isOpen={isOpen?.(row)}
                    isFresh={isFresh?.(row)}
                  />
                )
              })}
        </tbody>
      </table>
    </div>
  )
}

/** Numbers and times are most interesting from the largest or newest; texts are read from A to Z. */
function firstSort<Row>({ id, title, numeric = false }: Column<Row>): Sort {
  return { by: id ?? title, descending: numeric }
}

/** The rows in the chosen order. */
function useSortedRows<Row>(props: TableProps<Row>) {
  const { columns, rows, onSort } = props
  const [ownSort, setOwnSort] = useState<Sort>()
  const sort = onSort === undefined ? ownSort : props.sort
  const valueOf = columns.find((column) => firstSort(column).by === sort?.by)?.value
  const sorted = useMemo(
    () => (rows && sort && valueOf ? sortRows(rows, valueOf, sort.descending) : rows),
    [rows, sort, valueOf],
  )
  return { rows: sorted, sort, onSort: onSort ?? setOwnSort }
}

interface SortProps {
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
}

function ColumnHeader<Row>({ column, sort, onSort }: SortProps & { column: Column<Row> }) {
  const { title, numeric, minor, quiet, value } = column
  const first = firstSort(column)
  const isSorted = sort?.by === first.by
  const direction = isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'
  return (
    <th
      role="columnheader"
      scope="col"
      data-numeric={numeric}
      data-minor={minor}
      {...(value === undefined ? {} : { 'aria-sort': direction, 'aria-label': title })}
    >
      {quiet === true ? <span className={styles['quiet']}>{title}</span> : null}
      {quiet !== true && value === undefined ? title : null}
      {value === undefined ? null : (
        <UnstyledButton
          className={styles['sort'] ?? ''}
          title={`Sort by ${title.toLowerCase()}`}
          onClick={() => onSort(nextSort(sort, first))}
        >
          {title}
          <span aria-hidden>{isSorted ? (sort.descending ? '↓' : '↑') : '↕'}</span>
        </UnstyledButton>
      )}
    </th>
  )
}

/** The choice of the order where the table is a list, which has no column headers. */
function SortChoice<Row>({ columns, sort, onSort }: SortProps & { columns: ReadonlyArray<Column<Row>> }) {
  const sortable = columns.filter(({ value }) => value !== undefined)
  if (sortable.length === 0) return null
  const names = sortable.map((column) => firstSort(column).by)
  return (
    <label className={styles['choice']}>
      Sort by
      <select
        value={writeSort(sort) ?? ''}
        onChange={({ currentTarget }) => onSort(readSort(currentTarget.value, names))}
      >
        <option value="">Default</option>
        {sortable.flatMap((column) => {
          const { by, descending } = firstSort(column)
          return [descending, !descending].map((down) => (
            <option key={`${by} ${down}`} value={writeSort({ by, descending: down })}>
              {`${column.title}, ${down ? 'descending' : 'ascending'}`}
            </option>
          ))
        })}
      </select>
    </label>
  )
}

function PlaceholderRow<Row>({ columns }: { columns: ReadonlyArray<Column<Row>> }) {
  return (
    <tr role="row">
      {columns.map(({ title, numeric, minor, placeholderWidth = 72 }) => (
        <td key={title} role="cell" data-label={title} data-numeric={numeric} data-minor={minor}>
          <Skeleton width={placeholderWidth} />
        </td>
      ))}
    </tr>
  )
}

interface TableRowProps<Row> {
  readonly row: Row
  readonly rowKey: RowKey
  readonly columns: ReadonlyArray<Column<Row>>
  readonly onOpen: ((row: Row) => void) | undefined
  readonly onFocusRow: (key: RowKey) => void
  readonly isStop: boolean
  readonly isOpen: boolean | undefined
  readonly isFresh: boolean | undefined
}

/** The style sheet applies the minimum width only where the table is wide enough. */
function minWidthStyle(pixels: number): CSSProperties {
  return { '--min-width': `${pixels}px` } as CSSProperties
}

function Row<Row>(props: TableRowProps<Row>) {
  const { row, rowKey, columns, onOpen, onFocusRow, isStop, isOpen, isFresh } = props
  // A click on the button bubbles up to the row, which handles it.
  const asButton = (content: ReactNode) => (
    <UnstyledButton
      className={styles['open'] ?? ''}
      aria-haspopup="dialog"
      data-row={rowKey}
      tabIndex={isStop ? 0 : -1}
      onFocus={() => onFocusRow(rowKey)}
    >
      {content}
    </UnstyledButton>
  )
  return (
    <tr
      role="row"
      data-open={isOpen}
      data-fresh={isFresh}
      {...(onOpen === undefined ? {} : { 'data-opens': true, onClick: () => onOpen(row) })}
    >
      {columns.map(({ title, cell, numeric, minWidth, minor, quiet }, index) => (
        <td
          key={title}
          role="cell"
          data-label={title}
          data-numeric={numeric}
          data-minor={minor}
          data-quiet={quiet}
          {...(minWidth === undefined ? {} : { style: minWidthStyle(minWidth) })}
        >
          {onOpen === undefined || index > 0 ? cell(row) : asButton(cell(row))}
        </td>
      ))}
    </tr>
  )
}

/** One row, memoised: arrow keys move the focus through thousands of rows. */
const TableRow = memo(Row) as typeof Row

/** The rows to show. An empty page of a list that has rows is about to be left, so its rows count as loading. */
export function rowsOf<Row>(
  page: { readonly data: readonly Row[]; readonly total: number } | undefined,
): readonly Row[] | undefined {
  if (page === undefined) return undefined
  return page.data.length === 0 && page.total > 0 ? undefined : page.data
}
