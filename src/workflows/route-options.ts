import type { Engine } from '#engine'
import type { Identity } from '#identity'
import type { Database } from '#kernel/database'
import type { Idempotency } from '#kernel/idempotency'
import type { Outbound } from '#kernel/outbound'
import type { Worker } from '#kernel/work'
import type { Models } from '#models'
import type { Notices } from '#notices'
import type { Webhooks } from '#webhooks'

/** What the routes stand on. */
export interface WorkflowsOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly engine: Engine
  /** Which models there are, and which of them would be asked. */
  readonly models: Pick<Models, 'catalogue' | 'findModel'>
  readonly tiers: Identity['tiers']
  /** Runs what a caller waits for; undefined where this process answers requests only, and others do the work. */
  readonly worker: Worker | undefined
  readonly idempotency: Idempotency
  /** Tells other systems what happens. */
  readonly webhooks: Webhooks
  /** Tells people what happens. */
  readonly notices: Pick<Notices, 'configured'>
  /** The address of an account's owner; undefined when there is none. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  /** Says which addresses may be called. */
  readonly outbound: Pick<Outbound, 'checkUrl'>
  /** Where people reach this server, for the addresses in answers. */
  readonly publicUrl: string | undefined
}
