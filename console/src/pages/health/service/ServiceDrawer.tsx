import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { DetailBox } from '../../../parts/DetailBox.tsx'
import type { Detail } from '../../../parts/DetailList.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Status } from '../../../parts/Status.tsx'
import { findRow } from '../../../parts/use-row-focus.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import {
  type Service,
  type ServiceHistory,
  type ServiceName,
  type ServiceStatus,
  serviceQuery,
} from '../health-queries.ts'
import type { HealthRange } from '../health-search.ts'
import { aboutService, describeService, describeServiceState } from '../health-words.ts'
import { describePercentile } from '../history-words.ts'
import { serviceIncidentsQuery } from '../incidents/incident-calls.ts'
import { describeIncidentState } from '../incidents/incident-words.ts'
import { LatestChecks } from './LatestChecks.tsx'
import styles from './ServiceIncidents.module.css'
import { ServicePast } from './ServicePast.tsx'

interface ServiceDrawerProps {
  /** As the address has it. */
  readonly name: string
  readonly service: Service | undefined
  readonly history: ServiceHistory | undefined
  readonly range: HealthRange
  readonly onIncident: (id: string) => void
  readonly onClose: () => void
}

/** One service: how it is, how it was, and what was said about it. */
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

/** Where there is more to see, or to do. */
function Ways({ name }: { name: Service['name'] }) {
  if (name === 'ollama') return <Link to="/cluster">Open cluster</Link>
  if (name === 'openai' || name === 'anthropic') {
    return (
      <Link to="/providers" search={{ provider: name }}>
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
