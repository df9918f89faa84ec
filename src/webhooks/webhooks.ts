import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import type { Outbound } from '#kernel/outbound'
import type { Logger, Metrics } from '#kernel/telemetry'
import { type AnyQueueRegistration, type Executor, type RecurringTask, serveQueue } from '#kernel/work'
import { createDeliverPartition } from './delivery/deliver-partition.ts'
import { createDeliveryMetrics } from './delivery/metrics.ts'
import { partitions } from './delivery/partitions.ts'
import { createSlowReceiverLimiter } from './delivery/slow-receiver-limiter.ts'
import { createTryDelivery } from './delivery/try-delivery.ts'
import { createWebhookHealth } from './delivery/webhook-health.ts'
import { createDeliveries, type Deliveries } from './management/deliveries.ts'
import { createSubscriptions, type Subscriptions } from './management/subscriptions.ts'
import {
  closeCallbacks,
  type NewCallback,
  type OpenedCallback,
  openCallback,
} from './publishing/callbacks.ts'
import { type Listeners, listeners } from './publishing/listeners.ts'
import { publish, type WebhookEvent } from './publishing/publish.ts'
import { createPruneTask } from './retention/prune.ts'
import type { WebhooksSettings } from './settings.ts'
import { createSecretEncryption } from './signing/secret-encryption.ts'

/** Delivers events to other systems over HTTP: signed, in order and at least once. */
export interface Webhooks {
  /** Queues events for all matching webhooks in the caller's transaction. Resolves to the number of deliveries. */
  publish(executor: Executor, events: readonly WebhookEvent[]): Promise<number>
  /** Registers a URL for the events of one subject. Throws `invalid_input` for an invalid secret. */
  openCallback(executor: Executor, callback: NewCallback): Promise<OpenedCallback>
  /** Deletes the callbacks of a subject with their pending deliveries. */
  closeCallbacks(executor: Executor, subject: string): Promise<void>
  readonly listeners: Listeners
  readonly subscriptions: Subscriptions
  readonly deliveries: Deliveries
  /** To be served by the worker of this process. */
  readonly queue: AnyQueueRegistration
  readonly tasks: readonly RecurringTask[]
}

export interface WebhooksOptions {
  readonly database: Database
  readonly encryption: Encryption
  readonly outbound: Outbound
  readonly accountStatusOf: Identity['accountStatusOf']
  readonly settings: WebhooksSettings
  readonly log: Logger
  readonly metrics: Metrics
}

/** Creates the module: its queue goes to the worker, its tasks to the scheduler. */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { database, encryption, outbound, accountStatusOf, settings, log, metrics } = options
  const secrets = createSecretEncryption(database, encryption)
  const tryDelivery = createTryDelivery({
    outbound,
    secrets,
    limiter: createSlowReceiverLimiter({ slots: settings.concurrency }),
    async isPermitted(accountId, kind) {
      const account = await accountStatusOf(accountId)
      if (account === undefined || account.disabled) return false
      return kind === 'callback' || account.permissions.has('manage webhooks')
    },
    log,
  })
  return {
    publish,
    openCallback: (executor, callback) => openCallback(executor, secrets, callback),
    closeCallbacks,
    listeners,
    subscriptions: createSubscriptions({ database, outbound, secrets }),
    deliveries: createDeliveries(database),
    queue: serveQueue({
      queue: partitions,
      concurrency: settings.concurrency,
      sharedBy: 'account_id',
      handle: createDeliverPartition({
        database,
        tryDelivery,
        health: createWebhookHealth(database, settings),
        metrics: createDeliveryMetrics(metrics),
        log,
      }),
    }),
    tasks: [createPruneTask(database, settings)],
  }
}
