import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { notify } from '../../shell/notify.ts'
import { HealthCharts } from './HealthCharts.tsx'
import { HealthSummary } from './HealthSummary.tsx'
import {
  type Health,
  healthQuery,
  historyQuery,
  liveMetricsQuery,
  seriesQuery,
  statusKey,
} from './health-queries.ts'
import {
  type HealthSearch,
  healthRanges,
  readHealthSearch,
  usualHealthRange,
  withoutDialog,
} from './health-search.ts'
import { describeService, describeServiceState } from './health-words.ts'
import { Incidents } from './incidents/Incidents.tsx'
import { ModelSpeeds } from './ModelSpeeds.tsx'
import styles from './ScoreExplained.module.css'
import { ServiceTable } from './ServiceTable.tsx'
import { type ScorePart, scoreParts } from './score-parts.ts'
import { useStatusNews } from './use-status-news.ts'

const ServiceDrawer = lazy(() => import('./service/ServiceDrawer.tsx'))
const IncidentDrawer = lazy(() => import('./incidents/IncidentDrawer.tsx'))
const CreateIncident = lazy(() => import('./incidents/CreateIncident.tsx'))
const ConfigDrawer = lazy(() => import('./config/ConfigDrawer.tsx'))
const route = getRouteApi('/health')

/** How often every client may ask how everything is: all there is while no events arrive. */
const fallbackMs = 30_000

/** Whether everything is well, and since when. */
export function HealthPage() {
  const api = useApi()
  // The address may say what makes no sense, and keeps it.
  const search = readHealthSearch({ ...route.useSearch() })
  const { range = usualHealthRange, service: openService, incident: openIncident, create, configure } = search
  const navigate = route.useNavigate()
  const streamState = useStatusNews()
  const {
    data: health,
    failure,
    refetch,
  } = useApiQuery({ ...healthQuery(api), refetchInterval: streamState === 'live' ? false : fallbackMs })
  const { data: live } = useQuery(liveMetricsQuery(api))
  const { data: history } = useQuery(historyQuery(api, range))
  const { data: series } = useQuery(seriesQuery(api, range))

  // What was asked for before stays until the new answer is there, and is named by its own range.
  const historyRange = history?.range ?? range

  const show = (change: (now: HealthSearch) => HealthSearch, replace = false) =>
    void navigate({ search: change, replace, resetScroll: false })
  const open = (dialog: HealthSearch) => show((now) => ({ ...withoutDialog(now), ...dialog }))
  const close = () => open({})

  return (
    <Page
      title="Health"
      lead="State of every service, updated automatically by the health checks."
      aside={
        <>
          {health === undefined ? null : <StreamStatus state={streamState} />}
          <ProbeNow />
          <Button size="sm" variant="default" onClick={() => open({ configure: true })}>
            Configure checks
          </Button>
        </>
      }
    >
      {health === undefined && failure !== null ? (
        <FailureNotice
          what="The health of the platform could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <HealthSummary health={health} live={live} />
          <ScoreExplained health={health} />
          <Section
            title="Services"
            aside={
              <SegmentedControl
                size="xs"
                aria-label="Time range"
                value={range}
                onChange={(wanted) => show((now) => readHealthSearch({ ...now, range: wanted }), true)}
                data={healthRanges.map(({ name, title }) => ({ value: name, label: title }))}
              />
            }
          >
            <ServiceTable
              services={health?.services}
              history={history?.services}
              range={historyRange}
              openName={openService}
              onOpen={(name) => open({ service: name })}
            />
          </Section>
          <HealthCharts series={series} />
          <ModelSpeeds range={range} />
          <Incidents
            search={search}
            onFilter={(incidents) => show((now) => readHealthSearch({ ...now, incidents, page: 1 }), true)}
            onPage={(page, { replace }) => show((now) => ({ ...now, page }), replace)}
            onOpen={(id) => open({ incident: id })}
            onCreate={(kind) => open({ create: kind })}
          />
        </>
      )}
      <Suspense>
        {openService === undefined || health === undefined ? null : (
          <ServiceDrawer
            key={openService}
            name={openService}
            service={health.services.find(({ name }) => name === openService)}
            history={history?.services.find(({ name }) => name === openService)}
            range={historyRange}
            onIncident={(id) => open({ incident: id })}
            onClose={close}
          />
        )}
        {openIncident === undefined ? null : (
          <IncidentDrawer key={openIncident} id={openIncident} onClose={close} />
        )}
        {create === undefined ? null : (
          <CreateIncident
            key={create}
            kind={create}
            onCreated={(id) => open({ incident: id })}
            onClose={close}
          />
        )}
        {configure === true ? <ConfigDrawer onClose={close} /> : null}
      </Suspense>
    </Page>
  )
}

/** Looks at everything once more, at once. */
function ProbeNow() {
  const api = useApi()
  const cache = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => bodyOf(api.client.POST('/admin/llm/probe')),
    async onSuccess(health) {
      cache.setQueryData(healthQuery(api).queryKey, health)
      await cache.invalidateQueries({ queryKey: statusKey })
    },
    onError: (error) => notify({ title: 'The services were not checked', error }),
  })
  return (
    <Button size="sm" variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
      {isPending ? 'Checking…' : 'Check now'}
    </Button>
  )
}

const columns: ReadonlyArray<Column<ScorePart>> = [
  { title: 'Service', cell: ({ name }) => describeService(name) },
  { title: 'State', cell: ({ status }) => <Status {...describeServiceState(status)} /> },
  { title: 'Weight', numeric: true, cell: ({ weight }) => weight },
  { title: 'Points', numeric: true, cell: ({ points, most }) => `${oneDigit(points)} of ${oneDigit(most)}` },
]

/** How the score came about, for who wants to know. */
function ScoreExplained({ health }: { health: Health | undefined }) {
  return (
    <Surface>
      <details className={styles['details']}>
        <summary>Score calculation</summary>
        <p>
          Each configured service counts by its weight: fully when online, half when degraded, not at all when
          offline. Healthy: 90 or more and no service offline. Critical: below 50, or the database is offline.
        </p>
        <Table
          label="Score calculation"
          columns={columns}
          rows={health === undefined ? undefined : scoreParts(health.services)}
          rowKey={({ name }) => name}
        />
      </details>
    </Surface>
  )
}

function oneDigit(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: 1 })
}
