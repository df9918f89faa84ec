import { Section } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import styles from './ShareTable.module.css'
import { describePercent, type Share } from './usage-shares.ts'

interface ShareTableProps {
  /** How it is told apart, such as `By event`. */
  readonly title: string
  /** What each row is. */
  readonly what: string
  /** Undefined while they are on their way. */
  readonly rows: readonly Share[] | undefined
}

/** Counts with their share, most frequent first. */
export function ShareTable({ title, what, rows }: ShareTableProps) {
  return (
    <Section title={title} note={rows?.length.toLocaleString()}>
      <Table
        label={title}
        columns={columnsOf(what)}
        rows={rows}
        rowKey={({ name }) => name}
        placeholderRows={3}
      />
    </Section>
  )
}

function columnsOf(what: string): ReadonlyArray<Column<Share>> {
  return [
    { title: what, placeholderWidth: 120, cell: ({ name }) => name },
    { title: 'Events', numeric: true, placeholderWidth: 40, cell: ({ count }) => count.toLocaleString() },
    {
      title: 'Share',
      numeric: true,
      minWidth: 112,
      placeholderWidth: 72,
      cell: ({ share }) => (
        <span className={styles['share']}>
          <svg width={56} height={6} aria-hidden>
            <rect className={styles['whole']} width={56} height={6} rx={2} />
            <rect className={styles['part']} width={Math.max(1, share * 56)} height={6} rx={2} />
          </svg>
          <span className={styles['percent']}>{describePercent(share)}</span>
        </span>
      ),
    },
  ]
}
