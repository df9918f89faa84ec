import { Button, NativeSelect } from '@mantine/core'
import '../../../theme/mantine-form.css'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Pager } from '../../../parts/Pager.tsx'
import { Section } from '../../../parts/Section.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, rowsOf, Table } from '../../../parts/Table.tsx'
import { apiReferencePath } from '../../../shell/pages.ts'
import { describeDuration } from '../../../time/describe-time.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { ListedIncident } from '../health-queries.ts'
import type { HealthSearch } from '../health-search.ts'
import { incidentsQuery } from './incident-calls.ts'
import { describeImpact, describeIncidentState, describeServices } from './incident-words.ts'

const choices = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
]

interface IncidentsProps {
  readonly search: Pick<HealthSearch, 'incidents' | 'page' | 'incident'>
  readonly onFilter: (status: string) => void
  readonly onPage: (page: number, options: { replace: boolean }) => void
  readonly onOpen: (id: string) => void
  readonly onCreate: (kind: 'incident' | 'maintenance') => void
}

/** Incidents and planned maintenance, and the actions to add more. */
export function Incidents({ search, onFilter, onPage, onOpen, onCreate }: IncidentsProps) {
  const { incidents: status, page = 1, incident: openId } = search
  const { data, failure, refetch } = useApiQuery(incidentsQuery(useApi(), { status, page }))
  if (data === undefined && failure !== null) {
    return (
      <FailureNotice
        what="The incidents could not be loaded."
        error={failure}
        onRetry={() => void refetch()}
      />
    )
  }
  const isEmpty = data !== undefined && data.total === 0
  return (
    <>
      <Section
        title="Incidents and maintenance"
        note={data?.total.toLocaleString()}
        aside={
          <>
            <NativeSelect
              data-filter
              size="xs"
              aria-label="Incident state"
              data={choices}
              value={status ?? ''}
              onChange={({ currentTarget }) => onFilter(currentTarget.value)}
            />
            <Button size="compact-sm" variant="default" onClick={() => onCreate('incident')}>
              Open incident
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => onCreate('maintenance')}>
              Schedule maintenance
            </Button>
          </>
        }
      >
        {isEmpty ? (
          <EmptyState
            sentence={emptySentence(status)}
            action={
              status === undefined ? null : (
                <Button size="compact-sm" variant="default" onClick={() => onFilter('')}>
                  Show all
                </Button>
              )
            }
            link={<a href={apiReferencePath}>Report incidents through the API</a>}
          />
        ) : (
          <IncidentTable
            incidents={rowsOf(data && { data: data.incidents, total: data.total })}
            total={data?.total}
            openId={openId}
            onOpen={onOpen}
          />
        )}
      </Section>
      <Pager order="newest first" page={page} total={data?.total} onPage={onPage} />
    </>
  )
}

function emptySentence(status: 'open' | 'closed' | undefined): string {
  if (status === 'open') return 'No open incidents and no planned maintenance.'
  if (status === 'closed') return 'No closed incidents yet.'
  return 'No incidents yet. One is opened automatically when a service goes offline or stays degraded for five minutes.'
}

const columns: ReadonlyArray<Column<ListedIncident>> = [
  { title: 'Title', value: ({ title }) => title, placeholderWidth: 200, cell: ({ title }) => title },
  {
    title: 'State',
    value: ({ state }) => describeIncidentState(state).word,
    minWidth: 104,
    cell: ({ state }) => <Status {...describeIncidentState(state)} />,
  },
  {
    title: 'Services',
    value: ({ services }) => describeServices(services),
    placeholderWidth: 96,
    cell: ({ services }) => describeServices(services),
  },
  {
    title: 'Impact',
    value: ({ impact }) => describeImpact(impact),
    minor: true,
    placeholderWidth: 72,
    cell: ({ impact }) => describeImpact(impact),
  },
  {
    title: 'Start',
    value: ({ starts_at, opened_at }) => starts_at ?? opened_at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ starts_at, opened_at }) => <RelativeTime at={starts_at ?? opened_at} />,
  },
  {
    title: 'Duration',
    value: lastedSeconds,
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: lastedText,
  },
]

/** The duration of an incident; null while it is open, and for maintenance that ended before its start. */
function lastedSeconds({ starts_at, opened_at, closed_at }: ListedIncident): number | null {
  if (closed_at === null) return null
  const seconds = (Date.parse(closed_at) - Date.parse(starts_at ?? opened_at)) / 1000
  return seconds <= 0 ? null : seconds
}

function lastedText(incident: ListedIncident): string {
  const seconds = lastedSeconds(incident)
  return seconds === null ? '–' : describeDuration(seconds)
}

interface IncidentTableProps {
  /** The number of rows on all pages. */
  readonly total: number | undefined
  readonly incidents: readonly ListedIncident[] | undefined
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
}

/** The table of incidents and maintenance. */
function IncidentTable({ incidents, total, openId, onOpen }: IncidentTableProps) {
  return (
    <Table
      label="Incidents"
      name="incidents"
      columns={columns}
      rows={incidents}
      total={total}
      rowKey={({ id }) => id}
      placeholderRows={2}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}
