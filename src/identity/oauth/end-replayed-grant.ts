import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import type { Origin, SecurityEvents } from '../security-events.ts'
import type { Revocations } from '../tokens/revocations.ts'

/** Revokes all tokens of one authorization, because its code or one of its refresh tokens was used twice. */
export type EndReplayedGrant = (options: {
  readonly grantId: string
  readonly replayed: 'AuthorizationCode' | 'RefreshToken'
  readonly origin: Origin
}) => Promise<void>

export function createEndReplayedGrant({
  database,
  revocations,
  securityEvents,
}: {
  readonly database: Database
  readonly revocations: Revocations
  readonly securityEvents: SecurityEvents
}): EndReplayedGrant {
  return async ({ grantId, replayed, origin }) => {
    await database.transaction(async (transaction) => {
      const { rows } = await sql<{ user_id: string; client_id: string }>`
        delete from identity_oauth_records where model = 'Grant' and grant_id = ${grantId}
        returning user_id, client_id
      `.execute(transaction)
      const [grant] = rows
      // Concurrent replays append one event.
      if (grant === undefined) return
      await sql`delete from identity_oauth_records where grant_id = ${grantId}`.execute(transaction)
      await revocations.storeWithin(transaction, [grantId])
      await securityEvents.appendWithin(transaction, {
        type:
          replayed === 'AuthorizationCode'
            ? 'identity.authorization_code_replayed'
            : 'identity.refresh_token_reused',
        subject: grant.user_id,
        account: grant.user_id,
        origin,
        data: { client_id: grant.client_id },
      })
    })
    revocations.add(grantId)
  }
}
