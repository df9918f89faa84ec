import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { describeDuration } from '../../../time/describe-time.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { ListedIncident } from '../status-bodies.ts'
import { describeImpact, describeIncidentState, describeServices } from './incident-words.ts'

const columns: ReadonlyArray<Column<ListedIncident>> = [
  { title: 'What', placeholderWidth: 200, cell: ({ title }) => title },
  { title: 'State', room: 104, cell: ({ state }) => <Status {...describeIncidentState(state)} /> },
  { title: 'Services', placeholderWidth: 96, cell: ({ services }) => describeServices(services) },
  { title: 'Impact', minor: true, placeholderWidth: 72, cell: ({ impact }) => describeImpact(impact) },
  {
    title: 'Began',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ starts_at, opened_at }) => <RelativeTime at={starts_at ?? opened_at} />,
  },
  { title: 'Lasted', numeric: true, minor: true, placeholderWidth: 40, cell: lastedText },
]

/** How long it went on; a dash while it does. */
function lastedText({ starts_at, opened_at, closed_at }: ListedIncident): string {
  if (closed_at === null) return '–'
  const seconds = (Date.parse(closed_at) - Date.parse(starts_at ?? opened_at)) / 1000
  return seconds <= 0 ? '–' : describeDuration(seconds)
}

interface IncidentTableProps {
  readonly incidents: readonly ListedIncident[] | undefined
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
}

/** Incidents and maintenance as rows. */
export function IncidentTable({ incidents, openId, onOpen }: IncidentTableProps) {
  return (
    <Table
      label="Incidents"
      columns={columns}
      rows={incidents}
      rowKey={({ id }) => id}
      placeholderRows={2}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}
