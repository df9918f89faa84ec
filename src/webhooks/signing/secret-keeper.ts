import type { Database } from '#kernel/database'
import type { Sealing, Seat } from '#kernel/sealing'
import type { Secrets } from './signatures.ts'

/** The secrets of webhooks as they stand in the table. */
interface SealedSecrets {
  readonly webhookId: string
  readonly secret: string
  /** Null when there is none that still counts. */
  readonly previousSecret: string | null
}

/** Seals and opens the secrets of webhooks, each for its own webhook. */
export interface SecretKeeper {
  seal(webhookId: string, secret: string): Promise<string>
  /** Seals anew what was sealed with an older secret of the installation. */
  open(sealed: SealedSecrets): Promise<Secrets>
}

export function createSecretKeeper(database: Pick<Database, 'query'>, sealing: Sealing): SecretKeeper {
  async function sealAnew(webhookId: string, before: string, secret: string): Promise<void> {
    if (!sealing.canSeal() || (await sealing.isCurrent(before))) return
    await database.query('update webhooks set secret = $3 where id = $1 and secret = $2', [
      webhookId,
      before,
      await sealing.seal(secret, seatOf(webhookId)),
    ])
  }

  return {
    seal: (webhookId, secret) => sealing.seal(secret, seatOf(webhookId)),
    async open({ webhookId, secret, previousSecret }) {
      const current = await sealing.open(secret, seatOf(webhookId))
      await sealAnew(webhookId, secret, current)
      const previous =
        previousSecret === null ? undefined : await sealing.open(previousSecret, seatOf(webhookId))
      return { current, previous }
    },
  }
}

function seatOf(webhookId: string): Seat {
  return { purpose: 'webhook-secret', place: webhookId }
}
