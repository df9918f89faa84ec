import { Section } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { InterfaceUsage } from './interface-usage-query.ts'
import { describeBrowser, describeVersion } from './usage-shares.ts'

type RecentEvent = InterfaceUsage['recent'][number]

const columns: ReadonlyArray<Column<RecentEvent>> = [
  { title: 'Event', placeholderWidth: 96, cell: ({ event }) => event },
  { title: 'Component', placeholderWidth: 96, cell: ({ component }) => component },
  {
    title: 'Theme',
    minor: true,
    placeholderWidth: 72,
    cell: ({ metadata }) => describeVersion(versionOf(metadata)),
  },
  {
    title: 'Browser',
    minor: true,
    placeholderWidth: 56,
    cell: ({ browser, user_agent }) => <span title={user_agent}>{describeBrowser(browser)}</span>,
  },
  {
    title: 'When',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ timestamp }) => <RelativeTime at={timestamp} />,
  },
]

function versionOf(metadata: RecentEvent['metadata']) {
  const { theme, version } = metadata
  return {
    theme: typeof theme === 'string' ? theme : 'unknown',
    version: typeof version === 'string' ? version : 'unknown',
  }
}

/** The last events as they came. */
export function RecentEvents({ events }: { events: readonly RecentEvent[] | undefined }) {
  return (
    <Section title="The last events" note="kept for a week">
      <Table label="The last events" columns={columns} rows={events} rowKey={({ id }) => id} />
    </Section>
  )
}
