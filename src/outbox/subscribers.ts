import type { EngineOptions } from '#engine'
import { hasNotifications, progressIntervalMs } from '#executions-api'
import type { Database } from '#kernel/database'
import type { Executor } from '#kernel/work'
import type { Notifications } from '#notifications'
import type { Wanted, Webhooks } from '#webhooks'
import type { OutboxEntry } from './outbox.ts'
import { createTtlCache } from './ttl-cache.ts'

/** The subscribers of executions: webhooks, callbacks, notifications, event triggers and live streams. */
export interface Subscribers extends AsyncDisposable {
  /** For the engine: whether an execution of this process has subscribers. */
  readonly hasSubscribers: NonNullable<EngineOptions['hasSubscribers']>
  /** Executions of this process whose progress is published periodically, with the period. */
  readonly progressIntervals: Map<string, number>
  /** The wanted events by execution id; executions without subscribers are absent. */
  wantedOf(
    executor: Executor,
    outboxEntries: readonly Pick<OutboxEntry, 'executionId' | 'accountId'>[],
  ): Promise<ReadonlyMap<string, Wanted>>
  /** Whether an event about a subject was published to the account in the last hour. */
  wasPublishedRecently(
    executor: Executor,
    accountId: string,
    event: string,
    subject: string,
  ): Promise<boolean>
}

/** How long it is cached whether an account has webhooks, in case the database notification is lost. */
const keepMs = 2000

const hourMs = 3_600_000

interface SubscribersOptions {
  readonly database: Pick<Database, 'query' | 'listen'>
  readonly webhooks: Pick<Webhooks, 'listeners'>
  /** Absent where neither mail nor Slack is configured. */
  readonly notifications?: Pick<Notifications, 'configured'> | undefined
  /** The accounts whose executions start flows when they end. Default: none. */
  readonly ends?:
    | {
        startsFlows(accountId: string): Promise<boolean>
        /** Invokes the callback with the account whose triggers have changed; undefined: any account. */
        onChanged(callback: (accountId: string | undefined) => void): Promise<AsyncDisposable>
      }
    | undefined
  /** Whether a live stream is open, which receives events of all executions. */
  readonly hasViewers?: (() => boolean) | undefined
}

/** Finds the subscribers of executions, with a cache of the accounts that have webhooks. */
export function createSubscribers({
  database,
  webhooks: { listeners },
  notifications,
  ends,
  hasViewers = () => false,
}: SubscribersOptions): Subscribers {
  const progressIntervals = new Map<string, number>()
  const hasWebhooks = createTtlCache({
    keepMs,
    nameOf: (accountId: string) => accountId,
    load: (accountId) => listeners.hasAny(database, accountId),
  })
  const hasTriggers = createTtlCache({
    keepMs,
    nameOf: (accountId: string) => accountId,
    load: async (accountId) => (await ends?.startsFlows(accountId)) ?? false,
  })
  // Without the database notification the cache is stale for at most its TTL.
  const subscriptions = [
    listeners.onNew(database, (accountId) => hasWebhooks.forget(accountId)),
    ends?.onChanged((accountId) => hasTriggers.forget(accountId)),
  ].map((subscribing) => subscribing?.catch(() => undefined))

  return {
    progressIntervals,

    async hasSubscribers({ id, account_id: accountId, input }) {
      const everyMs = progressIntervalMs(input)
      if (everyMs !== undefined) progressIntervals.set(id, everyMs)
      if (notifications !== undefined && hasNotifications(input, notifications.configured)) return true
      if (hasViewers() || input.callbacks?.['webhook_url'] !== undefined) return true
      return (await hasWebhooks(accountId)) || (await hasTriggers(accountId))
    },

    wantedOf: (executor, outboxEntries) =>
      listeners.wantedOf(
        executor,
        outboxEntries.map(({ executionId: subject, accountId }) => ({ subject, accountId })),
      ),

    wasPublishedRecently: (executor, accountId, event, subject) =>
      listeners.wasPublishedTo(executor, { accountId, subject, event, withinMs: hourMs }),

    async [Symbol.asyncDispose]() {
      for (const subscription of subscriptions) await (await subscription)?.[Symbol.asyncDispose]()
    },
  }
}
