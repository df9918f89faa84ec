import type { Incident } from '../incidents/incident.ts'
import type { ServiceReport } from '../services/service.ts'

/** The public state of a service. */
export const publicStates = ['operational', 'degraded', 'down', 'maintenance', 'unknown'] as const
export type PublicState = (typeof publicStates)[number]

/** The public overall status. */
export const levels = ['operational', 'maintenance', 'degraded', 'outage', 'unknown'] as const
export type Level = (typeof levels)[number]

const stateOfReport = { online: 'operational', degraded: 'degraded', offline: 'down' } as const

interface StateContext {
  /** Services with maintenance in progress. */
  readonly maintained: ReadonlySet<string>
  /** The worst impact of open incidents by service. */
  readonly reported: ReadonlyMap<string, 'degraded' | 'down'>
  /** Older reports are stale. */
  readonly staleBefore: Date
}

/** The worse of the probed state and the open incidents. Undefined for an unconfigured service. */
export function publicStateOf(
  { name, state, lastCheck }: Pick<ServiceReport, 'name' | 'state' | 'lastCheck'>,
  { maintained, reported, staleBefore }: StateContext,
): PublicState | undefined {
  if (state === 'unconfigured') return undefined
  if (maintained.has(name)) return 'maintenance'
  const measured = lastCheck < staleBefore ? 'unknown' : stateOfReport[state]
  return measured === 'down' ? measured : (reported.get(name) ?? measured)
}

/** The worst impact of open incidents by service. */
export function reportedImpactsOf(
  open: readonly Pick<Incident, 'impact' | 'services'>[],
): ReadonlyMap<string, 'degraded' | 'down'> {
  const reported = new Map<string, 'degraded' | 'down'>()
  for (const impact of ['degraded', 'down'] as const) {
    for (const service of open.filter((it) => it.impact === impact).flatMap(({ services }) => services)) {
      reported.set(service, impact)
    }
  }
  return reported
}

/** The worst of the service states and the open incidents. */
export function levelOf(
  states: readonly PublicState[],
  open: readonly Pick<Incident, 'kind' | 'impact' | 'state'>[],
): Level {
  const incidents = open.filter(({ kind }) => kind === 'incident')
  if (states.includes('down') || incidents.some(({ impact }) => impact === 'down')) return 'outage'
  if (states.includes('degraded') || incidents.some(({ impact }) => impact === 'degraded')) return 'degraded'
  if (states.includes('unknown') || states.length === 0) return 'unknown'
  const isInProgress = open.some(({ kind, state }) => kind === 'maintenance' && state === 'under_way')
  return states.includes('maintenance') || isInProgress ? 'maintenance' : 'operational'
}

const levelMessages: Readonly<Record<Level, string>> = {
  operational: 'All services are available',
  maintenance: 'Maintenance in progress',
  degraded: 'Some services are impaired',
  outage: 'Some services are not available',
  unknown: 'Not checked lately',
}

export function levelMessage(level: Level, states: readonly PublicState[]): string {
  const isAll = states.length > 0 && states.every((state) => state === 'down')
  return isAll ? 'No service is available' : levelMessages[level]
}

export const stateLabels: Readonly<Record<PublicState, string>> = {
  operational: 'Available',
  degraded: 'Impaired',
  down: 'Not available',
  maintenance: 'Maintenance',
  unknown: 'Not checked lately',
}
