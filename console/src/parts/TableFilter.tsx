import { SearchField } from './SearchField.tsx'
import styles from './TableFilter.module.css'

interface TableFilterProps {
  /** The accessible name of the table. */
  readonly label: string
  readonly text: string | undefined
  readonly onFilter: (text: string | undefined) => void
  readonly found: number
  readonly all: number
}

/** The text filter above a table, and the number of rows it finds. */
export function TableFilter({ label, text, onFilter, found, all }: TableFilterProps) {
  return (
    <div className={styles['filter']} data-strip>
      <SearchField
        label={`Filter ${label}`}
        placeholder="Filter"
        size="xs"
        text={text}
        onChange={onFilter}
        className={styles['field']}
      />
      <span role="status">
        {text === undefined ? null : `${found.toLocaleString()} of ${all.toLocaleString()}`}
      </span>
    </div>
  )
}
