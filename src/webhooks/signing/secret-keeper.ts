import type { Database } from '#kernel/database'
import type { AssociatedData, Encryption } from '#kernel/encryption'
import type { Secrets } from './signatures.ts'

/** The secrets of webhooks as they stand in the table. */
interface EncryptedSecrets {
  readonly webhookId: string
  readonly secret: string
  /** Null when there is none that still counts. */
  readonly previousSecret: string | null
}

/** Seals and opens the secrets of webhooks, each for its own webhook. */
export interface SecretKeeper {
  encrypt(webhookId: string, secret: string): Promise<string>
  /** Seals anew what was sealed with an older secret of the installation. */
  open(sealed: EncryptedSecrets): Promise<Secrets>
}

export function createSecretKeeper(database: Pick<Database, 'query'>, encryption: Encryption): SecretKeeper {
  async function encryptAnew(webhookId: string, before: string, secret: string): Promise<void> {
    if (!encryption.canEncrypt() || (await encryption.isCurrent(before))) return
    await database.query('update webhooks set secret = $3 where id = $1 and secret = $2', [
      webhookId,
      before,
      await encryption.encrypt(secret, associatedDataOf(webhookId)),
    ])
  }

  return {
    encrypt: (webhookId, secret) => encryption.encrypt(secret, associatedDataOf(webhookId)),
    async open({ webhookId, secret, previousSecret }) {
      const current = await encryption.open(secret, associatedDataOf(webhookId))
      await encryptAnew(webhookId, secret, current)
      const previous =
        previousSecret === null
          ? undefined
          : await encryption.open(previousSecret, associatedDataOf(webhookId))
      return { current, previous }
    },
  }
}

function associatedDataOf(webhookId: string): AssociatedData {
  return { purpose: 'webhook-secret', place: webhookId }
}
