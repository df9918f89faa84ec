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

/** What status stands on. */
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
  /** Where the cluster service is, and what it wants to be shown; without it no request is sent through it. */
  readonly cluster?: ClusterAddress | undefined
  readonly settings: StatusSettings
  /** The folder whose disk is watched. */
  readonly dataDir: string
  readonly startedAt: Date
  readonly version: string
  /** Where people reach this server, for the addresses in answers. */
  readonly publicUrl: string | undefined
  readonly log: Logger
  readonly metrics: Metrics
  /** Replaces the probes of the services. */
  readonly probesFor?: ProberOptions['probesFor']
  /** How long the public page is cached. */
  readonly pageKeepMs?: number
}
