import type { Engine } from '#engine'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import type { Events } from '#kernel/events'
import type { Idempotency } from '#kernel/idempotency'
import type { MetricsHistory } from '#kernel/metrics-history'
import type { Outbound } from '#kernel/outbound'
import type { Logger, Metrics } from '#kernel/telemetry'
import type { WorkerDirectory } from '#kernel/work'
import type { Models } from '#models'
import type { Notifications } from '#notifications'
import type { ClusterAddress } from './probes/ollama.ts'
import type { ProberOptions } from './services/prober.ts'
import type { StatusSettings } from './settings.ts'

/** Dependencies and options of the module. */
export interface StatusOptions {
  readonly database: Database
  readonly events: Events
  readonly idempotency: Idempotency
  readonly models: Models
  readonly engine: Engine
  readonly metricsHistory: MetricsHistory
  readonly workers: WorkerDirectory
  readonly encryption: Encryption
  readonly outbound: Outbound
  readonly notifications: Notifications
  /** Address and API key of the cluster service; without it the probe sends no request to a node. */
  readonly cluster?: ClusterAddress | undefined
  readonly settings: StatusSettings
  /** The folder whose disk is probed. */
  readonly dataDir: string
  readonly startedAt: Date
  readonly version: string
  /** Public address of this server, for links. */
  readonly publicUrl: string | undefined
  readonly log: Logger
  readonly metrics: Metrics
  /** Replaces the probes of the services. */
  readonly probesFor?: ProberOptions['probesFor']
  /** How long the public page is cached. */
  readonly pageKeepMs?: number
}
