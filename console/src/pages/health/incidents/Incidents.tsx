import { Button, NativeSelect } from '@mantine/core'
import '../../../theme/mantine-form.css'
import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Pager } from '../../../parts/Pager.tsx'
import { rowsOf } from '../../../parts/rows-of.ts'
import { Section } from '../../../parts/Section.tsx'
import { apiReferencePath } from '../../../shell/pages.ts'
import type { HealthSearch } from '../health-search.ts'
import { IncidentTable } from './IncidentTable.tsx'
import { incidentsQuery } from './incident-calls.ts'

const choices = [
  { value: '', label: 'All of them' },
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

/** What went wrong, what is planned, and the ways to tell of more. */
export function Incidents({ search, onFilter, onPage, onOpen, onCreate }: IncidentsProps) {
  const { incidents: status, page = 1, incident: openId } = search
  const { data, failure, refetch } = useAnswer(incidentsQuery(useApi(), { status, page }))
  if (data === undefined && failure !== null) {
    return (
      <FailureNotice what="The incidents could not be read." error={failure} onRetry={() => void refetch()} />
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
              aria-label="State of incidents"
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
                  Show all of them
                </Button>
              )
            }
            link={<a href={apiReferencePath}>Report incidents through the API</a>}
          />
        ) : (
          <IncidentTable
            incidents={rowsOf(data && { data: data.incidents, total: data.total })}
            openId={openId}
            onOpen={onOpen}
          />
        )}
      </Section>
      <Pager page={page} total={data?.total} onPage={onPage} />
    </>
  )
}

function emptySentence(status: 'open' | 'closed' | undefined): string {
  if (status === 'open') return 'Nothing is open: no incident, and no maintenance is planned.'
  if (status === 'closed') return 'No incident and no maintenance has come to its end yet.'
  return 'Nothing has happened yet. One is opened by itself when a service goes offline, or stays degraded for five minutes.'
}
