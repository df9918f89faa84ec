import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { TimeChart } from '../../../parts/charts/TimeChart.tsx'
import { DetailBox } from '../../../parts/DetailBox.tsx'
import type { Detail } from '../../../parts/DetailList.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { ReadableUptimeBars } from '../../../parts/UptimeBars.tsx'
import { findRow } from '../../../parts/use-row-focus.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../../cluster/node-words.ts'
import {
  type Service,
  type ServiceHistory,
  type ServiceName,
  type ServiceStatus,
  serviceQuery,
} from '../health-queries.ts'
import type { HealthRange } from '../health-search.ts'
import { aboutService, describeService, describeServiceState, providerOfService } from '../health-words.ts'
import { barsOf, describePercentile, describeUptime, nameBar, wholeOf } from '../history-words.ts'
import { serviceIncidentsQuery } from '../incidents/incident-calls.ts'
import { describeIncidentState } from '../incidents/incident-words.ts'
import { nameStretch } from '../stretch-names.ts'
import styles from './ServiceDrawer.module.css'

interface ServiceDrawerProps {
  /** The service name in the URL. */
  readonly name: string
  readonly service: Service | undefined
  readonly history: ServiceHistory | undefined
  readonly range: HealthRange
  readonly onIncident: (id: string) => void
  readonly onClose: () => void
}

/** One service: state, history and incidents. */
export default function ServiceDrawer(props: ServiceDrawerProps) {
  const { name, service, history, range, onIncident, onClose } = props
  return (
    <SideDrawer title={describeService(name)} onClose={onClose} returnTo={() => findRow(name)}>
      {service === undefined ? (
        <p>No service is named {name}.</p>
      ) : (
        <>
          <Now service={service} />
          <ServicePast history={history} range={range} />
          <LatestChecks history={history} range={range} />
          <ServiceIncidents name={service.name} onOpen={onIncident} />
        </>
      )}
    </SideDrawer>
  )
}

function Now({ service }: { service: Service }) {
  const { data: status } = useQuery(serviceQuery(useApi(), service.name))
  return (
    <DrawerSection title="Now" about={aboutService(service.name)} ways={<Ways name={service.name} />}>
      <DetailBox details={detailsOf(service, status)} />
    </DrawerSection>
  )
}

function detailsOf(service: Service, status: ServiceStatus | undefined): Detail[] {
  const { version, models_loaded: models, memory_usage: memory } = status?.metadata ?? {}
  return [
    { name: 'State', value: <Status {...describeServiceState(service.status)} /> },
    { name: 'Message', value: service.statusText },
    { name: 'Since', value: <RelativeTime at={service.since} /> },
    ...(service.flapping
      ? [{ name: 'Flapping', value: 'The state changes too often, so it is reported as degraded.' }]
      : []),
    {
      name: 'Response time',
      value:
        status === undefined || status.responseTime === 0 ? '–' : describePercentile(status.responseTime),
    },
    { name: 'Checked', value: status === undefined ? '–' : <RelativeTime at={status.lastCheck} /> },
    { name: 'Version', value: knownOr(version) },
    { name: 'Models', value: models?.toLocaleString() ?? '–' },
    { name: 'Memory', value: knownOr(memory) },
    { name: 'Weight', value: service.weight },
  ]
}

function knownOr(text: string | undefined): string {
  return text === undefined || text === 'unknown' ? '–' : text
}

/** The link to the page that manages the service. */
function Ways({ name }: { name: Service['name'] }) {
  if (name === 'ollama') return <Link to="/cluster">Open cluster</Link>
  const provider = providerOfService(name)
  if (provider !== undefined) {
    return (
      <Link to="/providers" search={{ provider }}>
        Open provider
      </Link>
    )
  }
  if (name === 'mcp') return <Link to="/mcp-servers">Open MCP servers</Link>
  return null
}

interface ServiceIncidentsProps {
  readonly name: ServiceName
  readonly onOpen: (id: string) => void
}

/** The last incidents and maintenance of one service. */
function ServiceIncidents({ name, onOpen }: ServiceIncidentsProps) {
  const { data } = useQuery(serviceIncidentsQuery(useApi(), name))
  if (data === undefined) return null
  if (data.total === 0) return <DrawerSection title="Incidents" about="No incidents." />
  return (
    <DrawerSection title={`Incidents (${data.total.toLocaleString()})`}>
      <ul className={styles['incidents']}>
        {data.incidents.map(({ id, title, state, starts_at, opened_at, latest_update }) => (
          <li key={id}>
            <div className={styles['head']}>
              <Status {...describeIncidentState(state)} />
              <RelativeTime at={starts_at ?? opened_at} />
            </div>
            <Button
              size="compact-sm"
              variant="default"
              className={styles['open'] ?? ''}
              onClick={() => onOpen(id)}
            >
              {title}
            </Button>
            {latest_update === null ? null : <p>{latest_update.message}</p>}
          </li>
        ))}
      </ul>
    </DrawerSection>
  )
}

type Bar = ServiceHistory['bars'][number]

/** The number of listed checks: enough to see a trend. */
const most = 6

/** The latest periods with checks, newest first. */
function LatestChecks({ history, range }: { history: ServiceHistory | undefined; range: HealthRange }) {
  const bars = history?.bars.filter(({ checks }) => checks > 0).slice(-most) ?? []
  if (bars.length === 0) return null
  return (
    <DrawerSection title="Latest checks">
      <div className={styles['chart']}>
        <Table
          label="Latest checks"
          columns={columnsOf(range)}
          rows={bars.toReversed()}
          rowKey={({ at }) => at}
        />
      </div>
    </DrawerSection>
  )
}

function columnsOf(range: HealthRange): ReadonlyArray<Column<Bar>> {
  return [
    { title: 'Time', value: ({ at }) => at, cell: ({ at }) => nameBar(at, range) },
    {
      title: 'State',
      value: ({ state }) => describeServiceState(state).word,
      cell: ({ state }) => <Status {...describeServiceState(state)} />,
    },
    { title: 'Checks', numeric: true, cell: describeCounts },
    {
      title: 'Average',
      value: ({ average_ms: ms }) => ms,
      numeric: true,
      cell: ({ average_ms }) => describePercentile(average_ms),
    },
  ]
}

function describeCounts({ checks, online }: Bar): string {
  return online === checks ? checks.toLocaleString() : `${online} of ${checks} online`
}

interface ServicePastProps {
  readonly history: ServiceHistory | undefined
  readonly range: HealthRange
}

/** The uptime and the response times of a service. */
function ServicePast({ history, range }: ServicePastProps) {
  const whole = wholeOf(range)
  const title = `Last ${whole}`
  if (history === undefined) {
    return (
      <DrawerSection title={title}>
        <Skeleton width={240} />
      </DrawerSection>
    )
  }
  if (history.checks === 0) {
    return <DrawerSection title={title} about="No checks in this period." />
  }
  const grain = range === '24h' ? 'quarter' : 'day'
  return (
    <DrawerSection title={title}>
      <ReadableUptimeBars label="Uptime" bars={barsOf(history, range)} whole={whole} />
      <DetailBox
        details={[
          { name: 'Uptime', value: describeUptime(history) },
          { name: 'Checks', value: describeChecks(history) },
          { name: 'p50', value: describePercentile(history.p50_ms) },
          { name: 'p95', value: describePercentile(history.p95_ms) },
          { name: 'p99', value: describePercentile(history.p99_ms) },
          { name: 'Max', value: describePercentile(history.max_ms) },
        ]}
      />
      <div className={styles['chart']}>
        <TimeChart
          title="Response time of checks"
          places={history.bars.map(({ at }) => nameStretch(at, grain))}
          series={[{ name: 'Average', values: history.bars.map(({ average_ms }) => average_ms) }]}
          totals={[describePercentile(history.average_ms)]}
          whole={whole}
          describe={describePercentile}
          describeAxis={describeMilliseconds}
        />
      </div>
    </DrawerSection>
  )
}

function describeChecks({ checks, degraded, offline }: ServiceHistory): string {
  const troubles = [
    ...(degraded === 0 ? [] : [`${degraded.toLocaleString()} degraded`]),
    ...(offline === 0 ? [] : [`${offline.toLocaleString()} failed`]),
  ]
  return [checks.toLocaleString(), ...troubles].join(', ')
}
