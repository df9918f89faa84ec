import type { Incident } from '../incidents/incident.ts'
import type { ServiceReport } from '../services/service.ts'

/** How a service is, as everybody is told. */
export const publicStates = ['operational', 'degraded', 'down', 'maintenance', 'unknown'] as const
export type PublicState = (typeof publicStates)[number]

/** How everything is, as everybody is told. */
export const levels = ['operational', 'maintenance', 'degraded', 'outage', 'unknown'] as const
export type Level = (typeof levels)[number]

const stateOfReport = { online: 'operational', degraded: 'degraded', offline: 'down' } as const

interface Surroundings {
  /** What is worked on just now. */
  readonly maintained: ReadonlySet<string>
  /** What open incidents say of services, the worst of each. */
  readonly said: ReadonlyMap<string, 'degraded' | 'down'>
  /** A report that is older says nothing of now. */
  readonly staleBefore: Date
}

/** The worst of what was measured and of what people say. Undefined for a service that is not in use: nobody misses it. */
export function publicStateOf(
  { name, state, lastCheck }: Pick<ServiceReport, 'name' | 'state' | 'lastCheck'>,
  { maintained, said, staleBefore }: Surroundings,
): PublicState | undefined {
  if (state === 'unconfigured') return undefined
  if (maintained.has(name)) return 'maintenance'
  const measured = lastCheck < staleBefore ? 'unknown' : stateOfReport[state]
  return measured === 'down' ? measured : (said.get(name) ?? measured)
}

/** What open incidents say of services. */
export function saidOf(
  open: readonly Pick<Incident, 'impact' | 'services'>[],
): ReadonlyMap<string, 'degraded' | 'down'> {
  const said = new Map<string, 'degraded' | 'down'>()
  for (const impact of ['degraded', 'down'] as const) {
    for (const service of open.filter((it) => it.impact === impact).flatMap(({ services }) => services)) {
      said.set(service, impact)
    }
  }
  return said
}

/** How everything is: the worst of what was measured and of what people say. */
export function levelOf(
  states: readonly PublicState[],
  open: readonly Pick<Incident, 'kind' | 'impact' | 'state'>[],
): Level {
  const incidents = open.filter(({ kind }) => kind === 'incident')
  if (states.includes('down') || incidents.some(({ impact }) => impact === 'down')) return 'outage'
  if (states.includes('degraded') || incidents.some(({ impact }) => impact === 'degraded')) return 'degraded'
  if (states.includes('unknown') || states.length === 0) return 'unknown'
  const isUnderWay = open.some(({ kind, state }) => kind === 'maintenance' && state === 'under_way')
  return states.includes('maintenance') || isUnderWay ? 'maintenance' : 'operational'
}

const levelMessages: Readonly<Record<Level, string>> = {
  operational: 'All services are available',
  maintenance: 'Maintenance is under way',
  degraded: 'Some services are impaired',
  outage: 'Some services are not available',
  unknown: 'Not checked lately',
}

export function levelMessage(level: Level, states: readonly PublicState[]): string {
  const isAll = states.length > 0 && states.every((state) => state === 'down')
  return isAll ? 'No service is available' : levelMessages[level]
}

export const stateWords: Readonly<Record<PublicState, string>> = {
  operational: 'Available',
  degraded: 'Impaired',
  down: 'Not available',
  maintenance: 'Maintenance',
  unknown: 'Not checked lately',
}
