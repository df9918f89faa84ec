import { sql, type Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import type { Origin, SecurityEvents } from '../security-events.ts'
import type { Revocations } from './revocations.ts'

interface EndGrant {
  /** The grant of an access token: a token family, an OAuth grant, or a single client credentials token. */
  readonly grant: string
  readonly userId: string
  readonly by: string | null
  readonly origin: Origin
}

interface EndAll {
  readonly userId: string
  /** The public id of a session that stays open. */
  readonly exceptSession?: string | null
  /** Whether OAuth consents and their tokens end as well. */
  readonly consents: boolean
}

/** Ends sign-ins of an account. Their access tokens are refused on every replica from the commit on. */
export interface EndSignIns {
  /** Ends one grant of this account. */
  grant(options: EndGrant): Promise<void>
  /** Ends all sign-ins within a transaction. Call the result after the commit, so that this process applies it at once. */
  allWithin(transaction: Transaction<NoTables>, options: EndAll): Promise<() => void>
}

export function createEndSignIns({
  database,
  revocations,
  securityEvents,
}: {
  readonly database: Database
  readonly revocations: Revocations
  readonly securityEvents: SecurityEvents
}): EndSignIns {
  return {
    async grant({ grant, userId, by, origin }) {
      await database.transaction(async (transaction) => {
        await sql`
          delete from identity_token_families where id::text = ${grant} and user_id = ${userId}
        `.execute(transaction)
        await sql`
          delete from identity_oauth_records where grant_id = ${grant} and user_id = ${userId}
        `.execute(transaction)
        await revocations.storeWithin(transaction, [grant])
        await securityEvents.appendWithin(transaction, {
          type: 'identity.signed_out',
          subject: userId,
          account: userId,
          by,
          origin,
          data: { method: 'token' },
        })
      })
      revocations.add(grant)
    },

    async allWithin(transaction, { userId, exceptSession = null, consents }) {
      await sql`
        delete from identity_sessions
        where user_id = ${userId} and public_id is distinct from ${exceptSession}::uuid
      `.execute(transaction)
      const families = await sql<{ id: string }>`
        delete from identity_token_families where user_id = ${userId} returning id
      `.execute(transaction)
      const grants = consents
        ? await sql<{ id: string }>`
            with removed as (
              delete from identity_oauth_records where user_id = ${userId} returning grant_id
            )
            select distinct grant_id as id from removed where grant_id is not null
          `.execute(transaction)
        : { rows: [] }
      const ended = [...families.rows, ...grants.rows].map(({ id }) => id)
      await revocations.storeWithin(transaction, ended)
      return () => {
        for (const id of ended) revocations.add(id)
      }
    },
  }
}
