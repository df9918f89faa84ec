import type { Database } from '#kernel/database'
import { announceListener } from '../publishing/listeners.ts'

/** Updates the status of a webhook after attempts. */
export interface WebhookHealth {
  /** Ends a series of failures. */
  succeeded(webhookId: string): Promise<void>
  /** Resolves to whether the webhook was disabled, because every attempt has failed for `disableAfterMs`. */
  failed(webhookId: string): Promise<boolean>
  /** Disables the webhook: its receiver responded with 410. */
  gone(webhookId: string): Promise<void>
  /** Activates the webhook: its receiver returned the challenge. */
  verified(webhookId: string): Promise<void>
}

const disable = `status = 'disabled', disabled_at = now(), updated_at = now()`

/**
 * | status               | on                                                     | next                        |
 * |----------------------|--------------------------------------------------------|-----------------------------|
 * | pending_verification | the challenge is returned, or its owner uses the token | active                      |
 * | active               | 410                                                    | disabled, `gone`            |
 * | active               | a failure, after `disableAfterMs` of only failures     | disabled, `failing`         |
 * | active               | its owner disables it                                  | disabled, `owner`           |
 * | active, disabled     | its owner changes the URL                              | pending_verification        |
 * | disabled             | its owner enables it, verified before                  | active                      |
 */
export function createWebhookHealth(
  database: Pick<Database, 'query'>,
  settings: { readonly disableAfterMs: number },
): WebhookHealth {
  return {
    async succeeded(webhookId) {
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
        [webhookId, settings.disableAfterMs],
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
