import type { Connections } from '#connections'
import type { Engine } from '#engine'
import type { AnswerLinks } from '#executions-api'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Idempotency } from '#kernel/idempotency'
import type { Limiter } from '#kernel/limits'
import type { Outbound } from '#kernel/outbound'
import type { Worker } from '#kernel/work'
import type { Models } from '#models'
import type { Notifications } from '#notifications'
import type { Triggers } from '#triggers'
import type { Webhooks } from '#webhooks'

/** The dependencies of the routes. */
export interface WorkflowsOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly engine: Engine
  /** The event log, for the audit of answers. */
  readonly events: Pick<Events, 'appendWithin'>
  /** Secrets and connections of HTTP steps. */
  readonly connections: Connections
  /** The model catalogue and the model selection. */
  readonly models: Pick<Models, 'catalogue' | 'findModel' | 'providers'>
  readonly tiers: Identity['tiers']
  /** Counts executions that are recovered together. */
  readonly limiter: Pick<Limiter, 'take'>
  /** Runs synchronous executions; undefined in processes that only serve requests. */
  readonly worker: Worker | undefined
  readonly idempotency: Idempotency
  /** Links with which people answer human tasks. */
  readonly answerLinks: AnswerLinks
  readonly webhooks: Webhooks
  readonly triggers: Triggers
  readonly notifications: Pick<Notifications, 'configured'>
  /** The usernames of accounts that exist, by id. */
  readonly usernamesOf: Identity['usernamesOf']
  /** The e-mail address of an account; undefined without one. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  /** Checks which URLs may be called. */
  readonly outbound: Pick<Outbound, 'checkUrl'>
  /** The public URL of this server, for URLs in responses. */
  readonly publicUrl: string | undefined
}
