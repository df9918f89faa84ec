import { Button } from '@mantine/core'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeKind, describeMore, describeWhom, type LiveEvent } from './live-words.ts'

const columns: ReadonlyArray<Column<LiveEvent>> = [
  {
    title: 'What',
    room: 120,
    cell: (event) => {
      const { tone, title } = describeKind(event)
      return <Status tone={tone} word={title} />
    },
  },
  { title: 'Of', cell: (event) => describeWhom(event) },
  { title: 'More', cell: (event) => describeMore(event) || '–' },
  { title: 'When', numeric: true, room: 72, cell: ({ at }) => <RelativeTime at={at} /> },
]

interface LiveTableProps {
  readonly events: readonly LiveEvent[]
  readonly openId: string | undefined
  readonly isFiltered: boolean
  readonly onOpen: (id: string) => void
  readonly onClear: () => void
}

export function LiveTable({ events, openId, isFiltered, onOpen, onClear }: LiveTableProps) {
  if (events.length === 0) {
    return (
      <EmptyState
        sentence={
          isFiltered
            ? 'Nothing of this kind has happened since you came.'
            : 'Nothing has happened since you came. Run a workflow, and watch it here.'
        }
        action={
          isFiltered ? (
            <Button size="compact-sm" variant="default" onClick={onClear}>
              Show everything
            </Button>
          ) : null
        }
        link={<a href={apiReferencePath}>Follow the stream through the API</a>}
      />
    )
  }
  return (
    <Table
      label="What happens"
      columns={columns}
      rows={events}
      rowKey={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
      isFresh={() => true}
    />
  )
}
