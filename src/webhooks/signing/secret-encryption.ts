import type { Database } from '#kernel/database'
import type { AssociatedData, Encryption } from '#kernel/encryption'
import type { Secrets } from './signatures.ts'

/** The secrets of a webhook as they are stored. */
interface EncryptedSecrets {
  readonly webhookId: string
  readonly secret: string
  /** Null when no previous secret is valid any more. */
  readonly previousSecret: string | null
}

/** Encrypts the secrets of webhooks; the id of the webhook is the associated data. */
export interface SecretEncryption {
  encrypt(webhookId: string, secret: string): Promise<string>
  /** Also re-encrypts a secret that was encrypted with an older TUTTI_SECRET. Throws a failure of `encryptionFailureTable`. */
  decrypt(encrypted: EncryptedSecrets): Promise<Secrets>
}

export function createSecretEncryption(
  database: Pick<Database, 'query'>,
  encryption: Encryption,
): SecretEncryption {
  async function reencrypt(webhookId: string, before: string, secret: string): Promise<void> {
    if (!encryption.canEncrypt() || (await encryption.isCurrent(before))) return
    await database.query('update webhooks set secret = $3 where id = $1 and secret = $2', [
      webhookId,
      before,
      await encryption.encrypt(secret, associatedDataOf(webhookId)),
    ])
  }

  return {
    encrypt: (webhookId, secret) => encryption.encrypt(secret, associatedDataOf(webhookId)),
    async decrypt({ webhookId, secret, previousSecret }) {
      const current = await encryption.decrypt(secret, associatedDataOf(webhookId))
      await reencrypt(webhookId, secret, current)
      const previous =
        previousSecret === null
          ? undefined
          : await encryption.decrypt(previousSecret, associatedDataOf(webhookId))
      return { current, previous }
    },
  }
}

function associatedDataOf(webhookId: string): AssociatedData {
  return { purpose: 'webhook-secret', place: webhookId }
}
