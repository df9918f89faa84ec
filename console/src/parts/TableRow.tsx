import { UnstyledButton } from '@mantine/core'
import { type CSSProperties, memo, type ReactNode } from 'react'
import styles from './Table.module.css'
import type { Column } from './Table.tsx'
import type { RowKey } from './use-row-focus.ts'

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
function roomOf(pixels: number): CSSProperties {
  return { '--room': `${pixels}px` } as CSSProperties
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
      {columns.map(({ title, cell, numeric, room, minor, quiet }, index) => (
        <td
          key={title}
          role="cell"
          data-label={title}
          data-numeric={numeric}
          data-minor={minor}
          data-quiet={quiet}
          {...(room === undefined ? {} : { style: roomOf(room) })}
        >
          {onOpen === undefined || index > 0 ? cell(row) : asButton(cell(row))}
        </td>
      ))}
    </tr>
  )
}

/** One row. It is drawn again only when it changes: arrows move the focus through thousands of them. */
export const TableRow = memo(Row) as typeof Row
