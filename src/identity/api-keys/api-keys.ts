import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import type { KnownCredential } from '../authentication/known-credentials.ts'
import type { Origin, SecurityEvents } from '../security-events.ts'
import { type Account, accountColumns, joinGranted, principalOf } from '../users/account.ts'
import { generateApiKey, hashApiKey, shownPrefix } from './api-key-value.ts'
import { requireExpiry, requireRoom, requireScopes } from './new-key-rules.ts'

/** A key as its owner sees it; the key itself is told only once. */
export interface ApiKeyRecord {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[] | null
  readonly user_id: string
  readonly username: string
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
}

interface NewApiKey {
  readonly userId: string
  readonly name: string
  readonly scopes: readonly string[] | null
  readonly expiresAt: Date | null
  readonly by: string | null
  readonly origin?: Origin
}

export interface ApiKeys {
  /** Throws when the scopes, the time or the number of keys cannot be. */
  create(key: NewApiKey): Promise<ApiKeyRecord & { readonly key: string }>
  /** Of one account, or of all. Keys that were revoked are not among them. */
  list(options: {
    readonly userId: string | null
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly keys: readonly ApiKeyRecord[]; readonly total: number }>
  /** Answers whether there was such a key, of this account where one is given. */
  revoke(options: {
    readonly id: string
    readonly ownerId: string | null
    readonly by: string | null
    readonly origin?: Origin
  }): Promise<boolean>
  /** Finds whose key this is. An expired one is found, with its time; a revoked one is not. */
  find(key: string): Promise<KnownCredential | undefined>
  removeRevoked(): Promise<number>
}

const columns = `
  key.id, key.name, key.prefix, key.scopes, key.user_id, account.username,
  key.created_at, key.expires_at, key.last_used_at
`

const listStatement = `
  select ${columns}
  from identity_api_keys as key
  join identity_users as account on account.id = key.user_id
  where key.revoked_at is null and ($1::uuid is null or key.user_id = $1)
  order by key.created_at, key.id
  limit $2 offset $3
`

const countStatement = `
  select count(*) as total from identity_api_keys
  where revoked_at is null and ($1::uuid is null or user_id = $1)
`

const findStatement = `
  select key.id as key_id, key.scopes, key.expires_at, ${accountColumns}
  from identity_api_keys as key
  join identity_users as account on account.id = key.user_id
  ${joinGranted}
  where key.key_hash = $1 and key.revoked_at is null and account.disabled_at is null
`

export function createApiKeys({
  database,
  securityEvents,
  changed,
}: {
  readonly database: Database
  readonly securityEvents: SecurityEvents
  /** Told after a commit that takes something away. */
  readonly changed: () => void
}): ApiKeys {
  return {
    async create({ userId, name, scopes, expiresAt, by, origin }) {
      requireScopes(scopes)
      requireExpiry(expiresAt)
      const key = generateApiKey()
      const record = await database.transaction(async (transaction) => {
        await requireRoom(transaction, userId)
        const { rows } = await sql<ApiKeyRecord>`
          with key as (
            insert into identity_api_keys (user_id, name, prefix, key_hash, scopes, expires_at)
            values (${userId}, ${name}, ${shownPrefix(key)}, ${hashApiKey(key)}, ${scopes}::text[], ${expiresAt})
            returning *
          )
          select ${sql.raw(columns)} from key join identity_users as account on account.id = key.user_id
        `.execute(transaction)
        const [created] = rows
        if (created === undefined) throw new Error('the key was not stored')
        await securityEvents.appendWithin(transaction, {
          type: 'identity.api_key_created',
          subject: created.id,
          account: userId,
          by,
          ...(origin !== undefined && { origin }),
          data: { name, prefix: created.prefix, scopes },
        })
        return created
      })
      return { ...record, key }
    },

    async list({ userId, limit, offset }) {
      const [keys, [counted]] = await Promise.all([
        database.query<ApiKeyRecord>(listStatement, [userId, limit, offset]),
        database.query<{ total: number }>(countStatement, [userId]),
      ])
      return { keys, total: counted?.total ?? 0 }
    },

    async revoke({ id, ownerId, by, origin }) {
      const revoked = await database.transaction(async (transaction) => {
        const { rows } = await sql<{ user_id: string; name: string; prefix: string }>`
          update identity_api_keys set revoked_at = now()
          where id = ${id} and revoked_at is null and (${ownerId}::uuid is null or user_id = ${ownerId})
          returning user_id, name, prefix
        `.execute(transaction)
        const [key] = rows
        if (key === undefined) return false
        await securityEvents.appendWithin(transaction, {
          type: 'identity.api_key_revoked',
          subject: id,
          account: key.user_id,
          by,
          ...(origin !== undefined && { origin }),
          data: { name: key.name, prefix: key.prefix },
        })
        return true
      })
      if (revoked) changed()
      return revoked
    },

    async find(key) {
      const [row] = await database.query<
        Account & {
          readonly key_id: string
          readonly scopes: readonly string[] | null
          readonly expires_at: Date | null
        }
      >(findStatement, [hashApiKey(key)])
      if (row === undefined) return undefined
      const { key_id: credential, scopes, expires_at: expiresAt, ...account } = row
      return { principal: principalOf(account, { method: 'api_key', credential, scopes }), expiresAt }
    },

    async removeRevoked() {
      const removed = await database.query(`
        delete from identity_api_keys
        where not seeded and (revoked_at < now() - interval '30 days' or expires_at < now() - interval '90 days')
        returning id
      `)
      return removed.length
    },
  }
}
