import { Button } from '@mantine/core'
import type { AuditEntry } from '../../api/responses.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './AuditTable.module.css'
import { describeType } from './audit-types.ts'

/** Where space is short, such a cell is left out. */
const none = (
  <span className={styles['none']} data-none>
    –
  </span>
)

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { title: 'Event', placeholderWidth: 132, cell: ({ type }) => <What type={type} /> },
  {
    title: 'Account',
    minWidth: 72,
    placeholderWidth: 72,
    cell: ({ username, account }) => username ?? (account === null ? none : <Gone id={account} />),
  },
  {
    title: 'Actor',
    minWidth: 72,
    placeholderWidth: 72,
    cell: ({ by_username, by }) => by_username ?? (by === null ? none : <Gone id={by} />),
  },
  { title: 'Subject', placeholderWidth: 96, cell: (entry) => aboutOf(entry) ?? none },
  { title: 'IP address', minor: true, minWidth: 80, placeholderWidth: 72, cell: ({ ip }) => ip ?? none },
  {
    title: 'Time',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
]

function What({ type }: { type: string }) {
  const { title, tone } = describeType(type)
  return tone === undefined ? title : <Status tone={tone} word={title} />
}

/** An account that no longer is; its id is all that is left of it. */
function Gone({ id }: { id: string }) {
  return (
    <span className={styles['none']} title={id}>
      deleted account
    </span>
  )
}

/** The name of the key, client or role it happened to, what changed, or why something failed. */
function aboutOf({ data: { name, label, changed, reason } }: AuditEntry): string | undefined {
  const words = Array.isArray(changed) ? changed.join(', ') : reason
  if (typeof words === 'string') return words.replaceAll('_', ' ')
  return [name, label].find((told) => typeof told === 'string')
}

interface AuditTableProps {
  readonly entries: readonly AuditEntry[] | undefined
  readonly openId: number | undefined
  readonly isFiltered: boolean
  readonly onOpen: (id: number) => void
  readonly onClear: () => void
  readonly onRefresh: () => void
}

export function AuditTable({ entries, openId, isFiltered, onOpen, onClear, onRefresh }: AuditTableProps) {
  if (entries?.length === 0) {
    return (
      <EmptyState
        sentence={isFiltered ? 'No entries match.' : 'No entries yet.'}
        action={
          <Button size="compact-sm" variant="default" onClick={isFiltered ? onClear : onRefresh}>
            {isFiltered ? 'Show all types' : 'Check again'}
          </Button>
        }
        link={<a href={apiReferencePath}>Read the log through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Audit log"
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
      placeholderRows={10}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}
