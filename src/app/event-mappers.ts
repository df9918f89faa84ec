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

interface EventMappersOptions {
  readonly database: Database
  readonly engine: Engine
  readonly events: Events
  readonly webhooks: Webhooks
  readonly notifications: Notifications
  readonly subscribers: Subscribers
  readonly estimate: EstimateExecution
  readonly watch: StreamPresence
  readonly identity: Pick<Identity, 'accountStatusOf' | 'tiers' | 'emailAddressOf'>
  readonly models: Pick<Models, 'spentToday'>
  readonly publicUrl: string | undefined
  readonly log: Logger
}

/**
 * The event mappers of the outbox dispatcher: they turn outbox entries of executions into webhooks, notifications and events of each
 * API. The mapper that appends to the event log has to be the last.
 */
export function createEventMappers(options: EventMappersOptions): readonly Publisher[] {
  const { identity, models, publicUrl } = options
  const base = publicUrl?.replace(/\/$/, '')
  return [
    createWorkflowsPublisher(options),
    createNotificationsPublisher({
      ...options,
      addressOf: identity.emailAddressOf,
      linkOf: (executionId) =>
        // The page of the console: people follow this link, and the API would respond with JSON or 401.
        base === undefined ? undefined : `${base}/executions/${executionId}`,
    }),
    createOrchestraPublisher({
      ...options,
      spentToday: models.spentToday,
      async dayLimitOf(accountId) {
        const standing = await identity.accountStatusOf(accountId)
        return standing && identity.tiers.limitsOfTier(standing.tier).microDollarsPerDay
      },
    }),
  ]
}
