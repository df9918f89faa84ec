import { UnstyledButton } from '@mantine/core'
import { type CSSProperties, memo, type ReactNode } from 'react'
import { Skeleton } from './Skeleton.tsx'
import styles from './Table.module.css'
import { type RowKey, useRowFocus } from './use-row-focus.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand at the right, so that their digits line up. */
  readonly numeric?: boolean
  /** The least width in pixels: short words stay whole beside a neighbour's long text. */
  readonly minWidth?: number
  /** Left out where the table is neither wide enough for it nor narrow enough to become a list. */
  readonly minor?: boolean
  /** Of a column of controls: its title is for screen readers alone. */
  readonly quiet?: boolean
  /** The width of the bar that holds this cell's place while rows are on their way. */
  readonly placeholderWidth?: number
}

interface TableProps<Row> {
  /** What a screen reader calls the table. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  /** Undefined while they are on their way. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string | number
  readonly placeholderRows?: number
  /** Opens a dialog about the row; the first cell becomes its button. */
  readonly onOpen?: (row: Row) => void
  readonly isOpen?: (row: Row) => boolean
  /** Rows that arrive while the page is open light up once. */
  readonly isFresh?: (row: Row) => boolean
}

/**
 * A dense table that becomes a list of labelled values where it is narrow. The roles are written out because browsers
 * drop them from a table that is displayed as anything else.
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

/** The style sheet decides where the table is wide enough to give it. */
function minWidthStyle(pixels: number): CSSProperties {
  return { '--min-width': `${pixels}px` } as CSSProperties
}

function Row<Row>(props: TableRowProps<Row>) {
  const { row, rowKey, columns, onOpen, onFocusRow, isStop, isOpen, isFresh } = props
  // A click on the button reaches the row by itself.
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

/** One row. It is drawn again only when it changes: arrows move the focus through thousands of them. */
const TableRow = memo(Row) as typeof Row

/** The rows of a page to show: an empty page of a list that has rows is about to be left, so they are on their way. */
export function rowsOf<Row>(
  page: { readonly data: readonly Row[]; readonly total: number } | undefined,
): readonly Row[] | undefined {
  if (page === undefined) return undefined
  return page.data.length === 0 && page.total > 0 ? undefined : page.data
}
