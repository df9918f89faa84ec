import { UnstyledButton } from '@mantine/core'
import { type CSSProperties, memo, type ReactNode } from 'react'
import { Skeleton } from './Skeleton.tsx'
import styles from './Table.module.css'
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
}

/**
 * A dense table that becomes a list of labelled values where it is narrow. The ARIA roles are explicit because browsers drop
 * the native ones from a table with another display value.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, placeholderRows = 3, onOpen, isOpen, isFresh } = props
  const rowFocus = useRowFocus(onOpen === undefined ? [] : (rows ?? []).map(rowKey))
  return (
    <div className={styles['frame']} data-many={columns.length > 4}>
      <table className={styles['table']} role="table" aria-label={label} aria-busy={rows === undefined}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, numeric, minor, quiet }) => (
              <th key={title} role="columnheader" scope="col" data-numeric={numeric} data-minor={minor}>
                {quiet === true ? <span className={styles['quiet']}>{title}</span> : title}
              </th>
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
