import type { Engine } from '#engine'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { Models } from '#models'
import type { Notifications } from '#notifications'
import {
  createNotificationsPublisher,
  createOrchestraPublisher,
  createWorkflowsPublisher,
  type EstimateExecution,
  type Publisher,
  type StreamPresence,
  type Subscribers,
} from '#outbox'
import type { Webhooks } from '#webhooks'

interface PublishersOptions {
  readonly database: Database
  readonly engine: Engine
  readonly events: Events
  readonly webhooks: Webhooks
  readonly notifications: Notifications
  readonly subscribers: Subscribers
  readonly estimate: EstimateExecution
  readonly watch: StreamPresence
  readonly identity: Pick<Identity, 'standingOf' | 'tiers'>
  readonly models: Pick<Models, 'spentToday'>
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  readonly publicUrl: string | undefined
  readonly log: Logger
}

/** What is told of executions, to other systems and to people. What appends to the event log stands last. */
export function createPublishers(options: PublishersOptions): readonly Publisher[] {
  const { identity, models, publicUrl } = options
  const base = publicUrl?.replace(/\/$/, '')
  return [
    createWorkflowsPublisher(options),
    createNotificationsPublisher({
      ...options,
      linkOf: (executionId) =>
        // The page of the console: people follow this link, and the API would show them JSON or refuse them.
        base === undefined ? undefined : `${base}/executions/${executionId}`,
    }),
    createOrchestraPublisher({
      ...options,
      spentToday: models.spentToday,
      async dayLimitOf(accountId) {
        const standing = await identity.standingOf(accountId)
        return standing && identity.tiers.limitsOfTier(standing.tier).microDollarsPerDay
      },
    }),
  ]
}
