import type { Database } from '#kernel/database'
import { announceListener } from '../publishing/listeners.ts'

/** What tries tell about the webhook itself. */
export interface WebhookHealth {
  /** Something arrived. */
  arrived(webhookId: string): Promise<void>
  /** Something did not. Answers whether the webhook was disabled for it. */
  failed(webhookId: string): Promise<boolean>
  /** The receiver says that nobody is there any more. */
  gone(webhookId: string): Promise<void>
  /** The receiver wants to be told. */
  verified(webhookId: string): Promise<void>
}

const disable = `status = 'disabled', disabled_at = now(), updated_at = now()`

/**
 * | status               | on                                                     | next                        |
 * |----------------------|--------------------------------------------------------|-----------------------------|
 * | pending_verification | the challenge comes back, or its owner uses the token  | active                      |
 * | active               | 410                                                    | disabled, `gone`            |
 * | active               | a failure, after nothing but failures for five days    | disabled, `failing`         |
 * | active               | its owner says so                                      | disabled, `owner`           |
 * | active, disabled     | another URL                                            | pending_verification        |
 * | disabled             | its owner says so                                      | active, verified as it was  |
 */
export function createWebhookHealth(
  database: Pick<Database, 'query'>,
  { disableAfterMs }: { readonly disableAfterMs: number },
): WebhookHealth {
  return {
    async arrived(webhookId) {
      await database.query(
        'update webhooks set failing_since = null where id = $1 and failing_since is not null',
        [webhookId],
      )
    },

    async failed(webhookId) {
      await database.query(
        'update webhooks set failing_since = now() where id = $1 and failing_since is null',
        [webhookId],
      )
      const disabled = await database.query(
        `
          update webhooks set ${disable}, disabled_reason = 'failing'
          where id = $1 and status = 'active' and kind = 'subscription'
            and failing_since < now() - $2 * interval '1 millisecond'
          returning id
        `,
        [webhookId, disableAfterMs],
      )
      return disabled.length > 0
    },

    async gone(webhookId) {
      await database.query(
        `update webhooks set ${disable}, disabled_reason = 'gone' where id = $1 and status <> 'disabled'`,
        [webhookId],
      )
    },

    async verified(webhookId) {
      await database.query(
        `
          with changed as (
            update webhooks
            set status = 'active', verified_at = now(), updated_at = now(), failing_since = null,
              verification_hash = null, verification_expires_at = null
            where id = $1 and status = 'pending_verification'
            returning account_id
          )
          select ${announceListener('account_id')} from changed
        `,
        [webhookId],
      )
    },
  }
}
