import type { Connections } from '#connections'
import type { Engine } from '#engine'
import type { AnswerLinks } from '#executions-api'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Idempotency } from '#kernel/idempotency'
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
  /** Secrets and connections of HTTP steps. */
  readonly connections: Connections
  /** The model catalogue and the model selection. */
  readonly models: Pick<Models, 'catalogue' | 'findModel' | 'providers'>
  readonly tiers: Identity['tiers']
  /** Runs synchronous executions; undefined in processes that only serve requests. */
  readonly worker: Worker | undefined
  readonly idempotency: Idempotency
  /** Links with which people answer human tasks. */
  readonly answerLinks: AnswerLinks
  readonly webhooks: Webhooks
  readonly triggers: Triggers
  readonly notifications: Pick<Notifications, 'configured'>
  /** The e-mail address of an account; undefined without one. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  /** Checks which URLs may be called. */
  readonly outbound: Pick<Outbound, 'checkUrl'>
  /** The public URL of this server, for URLs in responses. */
  readonly publicUrl: string | undefined
}
