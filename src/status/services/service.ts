import type { TrafficReading } from './cluster-traffic.ts'

/** The probed services, in display order. */
export const serviceNames = [
  'database',
  'queue',
  'disk',
  'ollama',
  'openai',
  'anthropic',
  'vector_db',
  'mcp',
] as const

export type ServiceName = (typeof serviceNames)[number]

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

/** Probes a service once. An error means `offline`. Ends soon after the signal aborts. */
export type Probe = (signal: AbortSignal) => Promise<ProbeResult>
