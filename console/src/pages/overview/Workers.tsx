import type { Worker } from '../../api/bodies.ts'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'

const columns: ReadonlyArray<Column<Worker>> = [
  { title: 'Worker', placeholderWidth: 120, cell: ({ id, name }) => <span title={id}>{name}</span> },
  { title: 'Role', placeholderWidth: 40, cell: ({ role }) => role },
  {
    title: 'State',
    cell: ({ alive }) =>
      alive ? <Status tone="good" word="Alive" /> : <Status tone="bad" word="No heartbeat" />,
  },
  {
    title: 'Heartbeat',
    numeric: true,
    placeholderWidth: 48,
    cell: ({ heartbeat_at }) => <RelativeTime at={heartbeat_at} />,
  },
]

/** The processes that do the platform's work. */
export function Workers({ workers }: { workers: readonly Worker[] | undefined }) {
  const alive = workers?.filter((worker) => worker.alive).length
  return (
    <Section title="Workers" note={workers === undefined ? undefined : `${alive} alive`}>
      <Table label="Workers" columns={columns} rows={workers} rowKey={({ id }) => id} placeholderRows={1} />
    </Section>
  )
}
