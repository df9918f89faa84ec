import type { TrafficReading } from './cluster-traffic.ts'

/** The services of every installation, in display order. */
export const serviceNames = [
  'database',
  'queue',
  'disk',
  'ollama',
  'openai',
  'anthropic',
  'gemini',
  'vector_db',
  'mcp',
] as const

export type FixedServiceName = (typeof serviceNames)[number]

/** A further model provider. Its prefix keeps it apart from other services, because an operator chose the name. */
type ProviderServiceName = `provider:${string}`

export type ServiceName = FixedServiceName | ProviderServiceName

/** The form of all service names. */
export const serviceNamePattern = `^(?:${serviceNames.join('|')}|provider:[a-z0-9][a-z0-9_-]{0,31})$`

const serviceNameForm = new RegExp(serviceNamePattern)

/** A stored name may be that of a service which an earlier version had. */
export function isServiceName(name: string): name is ServiceName {
  return serviceNameForm.test(name)
}

/** The service of a model provider besides the usual ones. */
export function serviceOfProvider(provider: string): ProviderServiceName {
  return `provider:${provider}`
}

/** The name of the further model provider that is the service. */
export function providerOf(service: ProviderServiceName): string {
  return service.slice('provider:'.length)
}

/** Whether every installation has the service. */
export function isFixed(service: ServiceName): service is FixedServiceName {
  return (serviceNames as readonly string[]).includes(service)
}

/** Values for each service, and one for every further model provider. */
export type PerService<Value> = Readonly<Record<FixedServiceName | 'providers', Value>>

export function valueFor<Value>(values: PerService<Value>, service: ServiceName): Value {
  return isFixed(service) ? values[service] : values.providers
}

const providersFollow: ServiceName = 'gemini'

/** The services in display order: further model providers follow the usual ones, by name. */
export function inDisplayOrder(names: Iterable<ServiceName>): readonly ServiceName[] {
  const given = new Set(names)
  const others = [...given].filter((name) => !isFixed(name)).sort()
  return serviceNames.flatMap((name) => [
    ...(given.has(name) ? [name] : []),
    ...(name === providersFollow ? others : []),
  ])
}

/** An unconfigured service does not affect the health. */
export const serviceStates = ['online', 'degraded', 'offline', 'unconfigured'] as const

export type ServiceState = (typeof serviceStates)[number]

/** Additional measurements; null where a service has none. */
export interface ServiceMetadata {
  readonly version: string | null
  readonly models_loaded: number | null
  /** With its unit, such as `512.3 MB`. */
  readonly memory_usage: string | null
  /** Of the cluster: the last reading of each process. Absent in rows of an earlier version. */
  readonly cluster_traffic?: readonly TrafficReading[] | undefined
}

/** The reported status of a service: damped, and the same on every replica. */
export interface ServiceReport {
  readonly name: ServiceName
  readonly state: ServiceState
  /** Start of this state. */
  readonly since: Date
  /** A sentence for administrators; may contain addresses. */
  readonly text: string
  /** Response time of the last probe in milliseconds; 0 without a response. */
  readonly responseTime: number
  readonly lastCheck: Date
  /** The service changed so often recently that it is shown as degraded. */
  readonly flapping: boolean
  readonly metadata: ServiceMetadata
}

/** The result of a probe. */
export interface ProbeResult {
  readonly state: ServiceState
  /** The problem or the missing configuration; null when online. */
  readonly problem: string | null
  /** As measured by the probe; null without a response. Default: the duration of the probe. */
  readonly responseMs?: number | null
  readonly metadata?: Partial<ServiceMetadata>
  /** The counters of a cluster service in another process. */
  readonly traffic?: TrafficReading | undefined
}

/** The probes of one round. */
export type Probes = ReadonlyMap<ServiceName, Probe>

/** Probes a service once. An error means `offline`. Ends soon after the signal aborts. */
export type Probe = (signal: AbortSignal) => Promise<ProbeResult>
