import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Outbound } from '#kernel/outbound'
import type { Sealing } from '#kernel/sealing'
import type { Logger, Metrics } from '#kernel/telemetry'
import { type AnyQueueRegistration, type Executor, type RecurringTask, serveQueue } from '#kernel/work'
import { createDeliverLane } from './delivery/deliver-lane.ts'
import { lanes } from './delivery/lanes.ts'
import { createDeliveryMetrics } from './delivery/metrics.ts'
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
import { createSecretKeeper } from './signing/secret-keeper.ts'

/** Tells other systems what happens here. */
export interface Webhooks {
  /** Puts what happened on its way to whoever subscribed to it, in the transaction of what happened. Answers how many deliveries. */
  publish(executor: Executor, events: readonly WebhookEvent[]): Promise<number>
  /** An address that hears of one subject alone, from here on; what it hears is published as everything else. */
  openCallback(executor: Executor, callback: NewCallback): Promise<OpenedCallback>
  closeCallbacks(executor: Executor, subject: string): Promise<void>
  readonly listeners: Listeners
  readonly subscriptions: Subscriptions
  readonly deliveries: Deliveries
  /** For the worker of this process. */
  readonly queue: AnyQueueRegistration
  readonly tasks: readonly RecurringTask[]
}

export interface WebhooksOptions {
  readonly database: Database
  readonly sealing: Sealing
  readonly outbound: Outbound
  readonly standingOf: Identity['standingOf']
  readonly settings: WebhooksSettings
  readonly log: Logger
  readonly metrics: Metrics
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { database, sealing, outbound, standingOf, settings, log, metrics } = options
  const secrets = createSecretKeeper(database, sealing)
  const tryDelivery = createTryDelivery({
    outbound,
    secrets,
    limiter: createSlowReceiverLimiter({ slots: settings.concurrency }),
    async mayBeTold(accountId, kind) {
      const standing = await standingOf(accountId)
      if (standing === undefined || standing.disabled) return false
      return kind === 'callback' || standing.permissions.has('manage webhooks')
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
      queue: lanes,
      concurrency: settings.concurrency,
      handle: createDeliverLane({
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
