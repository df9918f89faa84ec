import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../api/api-context.ts'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import type { Fact } from '../../../parts/Facts.tsx'
import { FactsBox } from '../../../parts/FactsBox.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Status } from '../../../parts/Status.tsx'
import { findRow } from '../../../parts/use-row-focus.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { serviceQuery } from '../health-queries.ts'
import type { HealthRange } from '../health-search.ts'
import { aboutService, describeService, describeServiceState } from '../health-words.ts'
import { describePercentile } from '../history-words.ts'
import type { Service, ServiceHistory, ServiceStatus } from '../status-bodies.ts'
import { LatestChecks } from './LatestChecks.tsx'
import { ServiceIncidents } from './ServiceIncidents.tsx'
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
        <p>There is no service of the name {name}.</p>
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
      <FactsBox facts={factsOf(service, status)} />
    </DrawerSection>
  )
}

function factsOf(service: Service, status: ServiceStatus | undefined): Fact[] {
  const { version, models_loaded: models, memory_usage: memory } = status?.metadata ?? {}
  return [
    { name: 'State', value: <Status {...describeServiceState(service.status)} /> },
    { name: 'Says', value: service.statusText },
    { name: 'Since', value: <RelativeTime at={service.since} /> },
    ...(service.flapping ? [{ name: 'Flapping', value: 'It changes too often to be told as it is.' }] : []),
    {
      name: 'Answered in',
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
  if (name === 'ollama') return <Link to="/cluster">Open the cluster</Link>
  if (name === 'openai' || name === 'anthropic') {
    return (
      <Link to="/providers" search={{ provider: name }}>
        Open the provider
      </Link>
    )
  }
  if (name === 'mcp') return <Link to="/mcp-servers">Open the MCP servers</Link>
  return null
}
