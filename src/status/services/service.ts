import type { TrafficReading } from './cluster-traffic.ts'

/** Everything that is watched, in the order in which it is told. */
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

/** How a service can be. One that is unconfigured is not missed. */
export const serviceStates = ['online', 'degraded', 'offline', 'unconfigured'] as const

export type ServiceState = (typeof serviceStates)[number]

/** What was measured of a service besides; null where nobody says. */
export interface ServiceMetadata {
  readonly version: string | null
  readonly models_loaded: number | null
  /** With its unit, such as `512.3 MB`. */
  readonly memory_usage: string | null
  /** Of the cluster: the last reading of each of its processes. Absent in what an earlier version stored. */
  readonly cluster_traffic?: readonly TrafficReading[] | undefined
}

/** A service as everybody is told: after damping, and the same on every replica. */
export interface ServiceReport {
  readonly name: ServiceName
  readonly state: ServiceState
  /** Since when it is in this state. */
  readonly since: Date
  /** A sentence for people who administer; may name addresses. */
  readonly text: string
  /** Milliseconds until the last probe was answered; 0 when it was not, or nothing was asked. */
  readonly responseTime: number
  readonly lastCheck: Date
  /** It changed so often lately that it is held as degraded. */
  readonly flapping: boolean
  readonly metadata: ServiceMetadata
}

/** What one look at a service brought. */
export interface ProbeResult {
  readonly state: ServiceState
  /** What is wrong, or what is missing; null when all is well. */
  readonly problem: string | null
  /** When the probe measured it itself; null when nobody answered. When absent, the time the probe took counts. */
  readonly responseMs?: number | null
  readonly metadata?: Partial<ServiceMetadata>
  /** What a cluster service elsewhere has counted. */
  readonly traffic?: TrafficReading | undefined
}

/** Looks at a service once. May throw: that is `offline`. Ends soon after the signal aborts. */
export type Probe = (signal: AbortSignal) => Promise<ProbeResult>
