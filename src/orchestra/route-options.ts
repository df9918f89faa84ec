import type { Engine } from '#engine'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Idempotency } from '#kernel/idempotency'
import type { Limiter } from '#kernel/limits'
import type { MetricsHistory } from '#kernel/metrics-history'
import type { Outbound } from '#kernel/outbound'
import type { Worker } from '#kernel/work'
import type { Models } from '#models'
import type { Notifications } from '#notifications'
import type { StreamPresence } from '#outbox'
import type { Webhooks } from '#webhooks'
import type { Agents } from './agents/agents.ts'

/** The dependencies of the routes. */
export interface OrchestraOptions {
  readonly database: Database
  readonly engine: Engine
  readonly agents: Agents
  /** The model catalogue, the model selection and the provider health. */
  readonly models: Pick<Models, 'catalogue' | 'findModel' | 'providers' | 'responseCache'>
  /** The metrics of processes and machines. */
  readonly metricsHistory: MetricsHistory
  /** The version and the environment of the platform. */
  readonly system: { readonly version: string; readonly environment: string }
  /** The daily budget that an account has spent and reserved, in whole micro-dollars. */
  readonly spentToday: (accountId: string) => Promise<{ readonly spent: number; readonly reserved: number }>
  readonly tiers: Identity['tiers']
  /** The rate limiter. */
  readonly limiter: Limiter
  /** Runs synchronous executions; undefined in processes that only serve requests. */
  readonly worker: Worker | undefined
  readonly idempotency: Idempotency
  readonly webhooks: Webhooks
  readonly notifications: Pick<Notifications, 'configured'>
  /** The e-mail address of an account; undefined without one. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  /** Checks which URLs may be called. */
  readonly outbound: Pick<Outbound, 'checkUrl'>
  readonly events: Events
  /** Counts the readers of the live stream. */
  readonly watch: StreamPresence
  /** Interval of the status updates of the live stream. */
  readonly liveStatusEveryMs?: number | undefined
  /** The public URL of this server, for URLs in responses. */
  readonly publicUrl: string | undefined
}
