import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { ChartGroup } from '../../parts/charts/ChartGroup.tsx'
import type { ChartRange } from '../../parts/charts/chart-state.ts'
import { TimeChart } from '../../parts/charts/TimeChart.tsx'
import { describeRoughly } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { type SummaryCell, SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { notify } from '../../shell/notify.ts'
import { describeDuration } from '../../time/describe-time.ts'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { settingsQuery } from '../settings/settings-query.ts'
import styles from './HealthPage.module.css'
import {
  type Health,
  healthQuery,
  historyQuery,
  type LiveMetrics,
  liveMetricsQuery,
  type MetricsSeries,
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
import {
  describeLevel,
  describeService,
  describeServiceState,
  describeTrouble,
  type ScorePart,
  scoreParts,
} from './health-words.ts'
import { describePercentile, sumPoints, wholeOf } from './history-words.ts'
import { Incidents } from './incidents/Incidents.tsx'
import { ModelSpeeds } from './ModelSpeeds.tsx'
import { ServiceTable } from './ServiceTable.tsx'
import { nameStretch } from './stretch-names.ts'
import { useStatusNews } from './use-status-news.ts'

const ServiceDrawer = lazyPart(() => import('./service/ServiceDrawer.tsx'))
const IncidentDrawer = lazyPart(() => import('./incidents/IncidentDrawer.tsx'))
const CreateIncident = lazyPart(() => import('./incidents/CreateIncident.tsx'))
const ConfigDrawer = lazyPart(() => import('./config/ConfigDrawer.tsx'))
const route = getRouteApi('/health')

/** The polling interval while the event stream is down; the server allows every client this rate. */
const fallbackMs = 30_000

/** The health of the platform and its services, current and past. */
export function HealthPage() {
  const api = useApi()
  // Invalid search parameters stay in the URL and are dropped here.
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

  // The previous history stays until the new range is loaded, and keeps the label of its own range.
  const historyRange = history?.range ?? range

  const show = (change: (now: HealthSearch) => HealthSearch, replace = false) =>
    void navigate({ search: change, replace, resetScroll: false })
  const open = (dialog: HealthSearch) => show((now) => ({ ...withoutDialog(now), ...dialog }))
  const close = () => open({})

  return (
    <Page
      title="Health"
      lead={
        <>
          State of every service, updated automatically by the health checks. <PublicPage />
        </>
      }
      aside={
        <>
          {health === undefined ? null : <StreamStatus state={streamState} />}
          <ProbeNow />
          <Button size="compact-sm" variant="default" onClick={() => open({ configure: true })}>
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
          <HealthCharts key={series?.range} series={series} />
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

/** Whether visitors can see the status page, with the way to it or to its setting. */
function PublicPage() {
  const { data } = useQuery(settingsQuery(useApi()))
  const setting = data?.settings.find(({ name }) => name === 'TUTTI_STATUS_PAGE')
  if (setting === undefined) return null
  const isOn = (setting.value ?? setting.default) === 'true'
  return <>Public status page: {isOn ? <a href="/status">on</a> : <Link to="/settings">off</Link>}.</>
}

/** Runs all health checks immediately. */
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
    <Button
      size="compact-sm"
      variant="default"
      aria-disabled={isPending}
      onClick={() => isPending || mutate()}
    >
      {isPending ? 'Checking…' : 'Check now'}
    </Button>
  )
}

const columns: ReadonlyArray<Column<ScorePart>> = [
  { title: 'Service', value: ({ name }) => describeService(name), cell: ({ name }) => describeService(name) },
  {
    title: 'State',
    value: ({ status }) => describeServiceState(status).word,
    cell: ({ status }) => <Status {...describeServiceState(status)} />,
  },
  { title: 'Weight', value: ({ weight }) => weight, numeric: true, cell: ({ weight }) => weight },
  {
    title: 'Points',
    value: ({ points }) => points,
    numeric: true,
    cell: ({ points, most }) => `${oneDigit(points)} of ${oneDigit(most)}`,
  },
]

/** The breakdown of the health score by service. */
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
          hasFilter={false}
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

/** Response times of the platform, and the tokens of models. */
function HealthCharts({ series }: { series: MetricsSeries | undefined }) {
  const [view, setView] = useState<ChartRange>()
  return (
    <ChartGroup view={view} onView={setView}>
      <div className={styles['pair']}>
        <Section title="Response time" note="all requests">
          {series === undefined ? <ChartPlaceholder /> : <LatencyChart series={series} />}
        </Section>
        <Section title="Tokens" note="all models">
          {series === undefined ? <ChartPlaceholder /> : <TokenChart series={series} />}
        </Section>
      </div>
    </ChartGroup>
  )
}

function LatencyChart({ series: { points, grain, range } }: { series: MetricsSeries }) {
  const { averageMs, maxMs } = sumPoints(points)
  return (
    <TimeChart
      title="Response time"
      places={points.map(({ at }) => nameStretch(at, grain))}
      series={[
        { name: 'Average', values: points.map(({ average_ms }) => average_ms) },
        { name: 'Max', values: points.map(({ max_ms }) => max_ms) },
      ]}
      totals={[describePercentile(averageMs), describePercentile(maxMs)]}
      whole={wholeOf(range)}
      describe={describePercentile}
      describeAxis={describeMilliseconds}
    />
  )
}

function TokenChart({ series: { points, grain, range } }: { series: MetricsSeries }) {
  const { inputTokens, outputTokens } = sumPoints(points)
  return (
    <TimeChart
      title="Tokens"
      places={points.map(({ at }) => nameStretch(at, grain))}
      series={[
        { name: 'In', adds: true, values: points.map(({ input_tokens }) => input_tokens) },
        { name: 'Out', adds: true, values: points.map(({ output_tokens }) => output_tokens) },
      ]}
      totals={[inputTokens.toLocaleString(), outputTokens.toLocaleString()]}
      whole={wholeOf(range)}
      describe={(tokens) => tokens.toLocaleString()}
      describeAxis={describeRoughly}
    />
  )
}

/** A placeholder of the chart's height. */
function ChartPlaceholder() {
  return <div className={styles['placeholder']} aria-busy />
}

interface HealthSummaryProps {
  readonly health: Health | undefined
  readonly live: LiveMetrics | undefined
}

/** The summary of the platform's health. */
function HealthSummary({ health, live }: HealthSummaryProps) {
  return (
    <SummaryStrip
      cells={[...healthCells(health), ...liveCells(live)]}
      isLoading={health === undefined || live === undefined}
    />
  )
}

function healthCells(health: Health | undefined): readonly SummaryCell[] {
  if (health === undefined) return [{ name: 'State' }, { name: 'Score' }]
  const { overallScore, systemStatus, services } = health
  const counted = services.filter(({ status }) => status !== 'unconfigured')
  const online = counted.filter(({ status }) => status === 'online').length
  return [
    {
      name: 'State',
      value: <Status {...describeLevel(systemStatus.level)} />,
      note: <OneLine text={describeTrouble(services)} />,
    },
    {
      name: 'Score',
      value: `${overallScore} of 100`,
      note: `${online} of ${counted.length} services online`,
    },
  ]
}

/** A text cut to one line, so that a long one does not move the content below. */
function OneLine({ text }: { text: string }) {
  return (
    <span className={styles['line']} title={text}>
      {text}
    </span>
  )
}

function liveCells(live: LiveMetrics | undefined): readonly SummaryCell[] {
  if (live === undefined) return ['Response time', 'Requests', 'Tokens', 'Uptime'].map((name) => ({ name }))
  const { averageResponseTime: averageMs, modelsActive } = live
  return [
    {
      name: 'Response time',
      value: averageMs === 0 ? '–' : describeMilliseconds(Math.round(averageMs * 10) / 10),
      note: 'average, last 24 hours',
    },
    {
      name: 'Requests',
      value: live.totalRequests.toLocaleString(),
      note: `${live.requestsPerMinute.toLocaleString()} per minute now`,
    },
    {
      name: 'Tokens',
      value: live.totalTokens.toLocaleString(),
      note: modelsActive === 1 ? '1 model active' : `${modelsActive} models active`,
    },
    {
      name: 'Uptime',
      value: describeDuration(Math.max(1, live.uptimeSeconds)),
      note: 'oldest process',
    },
  ]
}
