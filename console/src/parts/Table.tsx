import { UnstyledButton } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowsUpDown from '@tabler/icons-react/dist/esm/icons/IconArrowsUpDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import { type CSSProperties, Fragment, memo, type ReactNode, useMemo } from 'react'
import { Skeleton } from './Skeleton.tsx'
import styles from './Table.module.css'
import { TableFilter } from './TableFilter.tsx'
import { canFilter, filterRows } from './table-filter.ts'
import { nextSort, readSort, type Sort, type SortValue, sortRows, writeSort } from './table-sort.ts'
import { type RowKey, useRowFocus } from './use-row-focus.ts'
import { useTableState } from './use-table-state.ts'

interface FixedOrder {
  readonly descending: boolean
  /** The order in words, such as `Newest first`. */
  readonly words: string
}

export const newestFirst: FixedOrder = { descending: true, words: 'Newest first' }

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
  /** The list is ordered by this column while the browser cannot sort it: a log, or one page of a longer list. */
  readonly fixedOrder?: FixedOrder
  /** The name of the column in the address and in `Sort`; the title in small letters unless given. */
  readonly id?: string
  /** Makes the column sortable in the browser. Only for lists that are loaded as a whole. */
  readonly value?: ((row: Row) => SortValue) | undefined
  /** The text that the filter searches; the value, unless it is numeric. */
  readonly text?: ((row: Row) => string) | undefined
  /** Makes the column sortable by the server: the page reads the rows in the new order. */
  readonly sortsOnServer?: boolean
}

interface TableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  /** Undefined while the rows are loading. */
  readonly rows: readonly Row[] | undefined
  /** The number of rows on all pages of the list, when the rows are one page. Only a whole list is sorted in the browser. */
  readonly total?: number | undefined
  readonly rowKey: (row: Row) => string | number
  readonly placeholderRows?: number
  /** Opens the details of a row; the first cell becomes the button for it. */
  readonly onOpen?: (row: Row) => void
  readonly isOpen?: (row: Row) => boolean
  /** Whether a row arrived while the page was open; such rows are highlighted once. */
  readonly isFresh?: (row: Row) => boolean
  /** The name of the table in the address, which then keeps its order and its filter; `main` for the main table of a page. */
  readonly name?: string
  /** False for fixed lists, and where the page has a search of its own; other tables have a text filter from eight rows on. */
  readonly hasFilter?: boolean
  /** The order of the rows, when the page keeps it; otherwise the table keeps it, see `name`. */
  readonly sort?: Sort | undefined
  readonly onSort?: (sort: Sort | undefined) => void
  /** The heading above the rows of a group. Rows of one group must be together; a sorted table has no groups. */
  readonly groupOf?: (row: Row) => string
}

/**
 * A dense table that becomes a list of labelled values where it is narrow. The ARIA roles are explicit because browsers drop
 * the native ones from a table with another display value.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rowKey, placeholderRows = 3, onOpen, isOpen, isFresh, groupOf } = props
  const { columns, rows, sort, onSort, filter } = useShownRows(props)
  const rowFocus = useRowFocus(onOpen === undefined ? [] : (rows ?? []).map(rowKey))
  return (
    <div className={styles['frame']} data-many={columns.length > 4}>
      {filter === undefined ? null : <TableFilter label={label} {...filter} />}
      {rows === undefined || rows.length < 2 ? null : (
        <SortChoice columns={columns} sort={sort} onSort={onSort} />
      )}
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
            : rows.map((row, index) => {
                const key = rowKey(row)
                const group = sort === undefined ? groupOf?.(row) : undefined
                const before = rows[index - 1]
                return (
                  <Fragment key={key}>
                    {group === undefined || (before !== undefined && groupOf?.(before) === group) ? null : (
                      <GroupRow title={group} columns={columns.length} />
                    )}
                    <TableRow
                      row={row}
                      rowKey={key}
                      columns={columns}
                      onOpen={onOpen}
                      onFocusRow={rowFocus.onFocusRow}
                      isStop={key === rowFocus.stop}
                      isOpen={isOpen?.(row)}
                      isFresh={isFresh?.(row)}
                    />
                  </Fragment>
                )
              })}
        </tbody>
      </table>
      {rows?.length === 0 && filter?.text !== undefined ? (
        <p className={styles['none']}>No rows match “{filter.text}”.</p>
      ) : null}
    </div>
  )
}

function GroupRow({ title, columns }: { title: string; columns: number }) {
  return (
    <tr role="row" data-group>
      <th role="rowheader" scope="rowgroup" colSpan={columns}>
        {title}
      </th>
    </tr>
  )
}

/** Numbers and times are most interesting from the largest or newest; texts are read from A to Z. */
function firstSort<Row>({ id, title, numeric = false }: Column<Row>): Sort {
  return { by: id ?? title.toLowerCase().replaceAll(' ', '-'), descending: numeric }
}

/** The names of the columns in the address. */
export function columnIds<Row>(columns: ReadonlyArray<Column<Row>>): readonly string[] {
  return columns.map((column) => firstSort(column).by)
}

/** Shorter tables are read at a glance: they have no filter. */
export const minFilteredRows = 8

/** The rows that match the filter in the chosen order, and the columns that can be sorted. */
function useShownRows<Row>(props: TableProps<Row>) {
  const { rows, total = 0, name, hasFilter = true } = props
  const state = useTableState(name, columnIds(props.columns))
  const { sort, onSort } = props.onSort === undefined ? state : { sort: props.sort, onSort: props.onSort }
  const isWhole = total <= (rows?.length ?? 0)
  const columns = useMemo(
    () => (isWhole ? props.columns : withoutValues(props.columns)),
    [props.columns, isWhole],
  )
  const isFiltered = hasFilter && isWhole && canFilter(columns) && (rows?.length ?? 0) >= minFilteredRows
  const text = isFiltered ? state.text : undefined
  const shown = useMemo(
    () => rows && sortByColumn(filterRows(rows, columns, text), columns, sort),
    [rows, columns, text, sort],
  )
  const filter = isFiltered
    ? { text, onFilter: state.onFilter, found: shown?.length ?? 0, all: rows?.length ?? 0 }
    : undefined
  return { columns, rows: shown, sort, onSort, filter }
}

/** The columns of one page of a list: the browser has too few rows to sort by them. */
export function withoutValues<Row>(columns: ReadonlyArray<Column<Row>>): ReadonlyArray<Column<Row>> {
  return columns.map((column) => ({ ...column, value: undefined }))
}

/** Rows in the order of a column; as they are without an order of the browser. */
export function sortByColumn<Row>(
  rows: readonly Row[],
  columns: ReadonlyArray<Column<Row>>,
  sort: Sort | undefined,
): readonly Row[] {
  const valueOf = columns.find((column) => firstSort(column).by === sort?.by)?.value
  return sort === undefined || valueOf === undefined ? rows : sortRows(rows, valueOf, sort.descending)
}

interface SortProps {
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
}

function isSortable<Row>({ value, sortsOnServer = false }: Column<Row>): boolean {
  return value !== undefined || sortsOnServer
}

export function ColumnHeader<Row>({ column, sort, onSort }: SortProps & { column: Column<Row> }) {
  const { title, numeric, minor, quiet, fixedOrder } = column
  const sortable = isSortable(column)
  if (fixedOrder !== undefined && !sortable) return <OrderedHeader column={column} order={fixedOrder} />
  const first = firstSort(column)
  const isSorted = sort?.by === first.by
  const direction = isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'
  return (
    <th
      role="columnheader"
      scope="col"
      data-numeric={numeric}
      data-minor={minor}
      {...(sortable ? { 'aria-sort': direction, 'aria-label': title } : {})}
    >
      {quiet === true ? <span className={styles['quiet']}>{title}</span> : null}
      {quiet !== true && !sortable ? title : null}
      {sortable ? <span className={styles['plain']}>{title}</span> : null}
      {!sortable ? null : (
        <UnstyledButton
          className={styles['sort'] ?? ''}
          title={`Sort by ${title.toLowerCase()}`}
          onClick={() => onSort(nextSort(sort, first))}
        >
          {title}
          <SortArrow descending={isSorted ? sort.descending : undefined} />
        </UnstyledButton>
      )}
    </th>
  )
}

/** The header of the column by which the list is always ordered. */
function OrderedHeader<Row>({ column, order }: { column: Column<Row>; order: FixedOrder }) {
  const { title, numeric, minor } = column
  return (
    <th
      role="columnheader"
      scope="col"
      title={order.words}
      aria-sort={order.descending ? 'descending' : 'ascending'}
      data-numeric={numeric}
      data-minor={minor}
    >
      <span className={styles['ordered']}>
        {title}
        <SortArrow descending={order.descending} />
      </span>
    </th>
  )
}

/** An icon, because not every font has arrows. Undefined: the column is not sorted. */
function SortArrow({ descending }: { descending: boolean | undefined }) {
  const Arrow = descending === undefined ? IconArrowsUpDown : descending ? IconArrowDown : IconArrowUp
  return <Arrow size={12} stroke={1.75} aria-hidden />
}

/** The choice of the order where the table is a list, which has no column headers. */
export function SortChoice<Row>({
  columns,
  sort,
  onSort,
}: SortProps & { columns: ReadonlyArray<Column<Row>> }) {
  const sortable = columns.filter(isSortable)
  if (sortable.length === 0) {
    const words = columns.find(({ fixedOrder }) => fixedOrder)?.fixedOrder?.words
    return words === undefined ? null : <span className={styles['choice']}>{words}</span>
  }
  const names = sortable.map((column) => firstSort(column).by)
  return (
    <span className={styles['choice']}>
      <span aria-hidden>Sort by</span>
      <select
        aria-label="Sort by"
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
    </span>
  )
}

export function PlaceholderRow<Row>({ columns }: { columns: ReadonlyArray<Column<Row>> }) {
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
export function minWidthStyle(pixels: number): CSSProperties {
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
