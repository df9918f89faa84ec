import { hash, randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { KeyLimits } from '#kernel/http'
import { invalidField } from '../errors.ts'
import { requireKnownNames } from '../require-known-names.ts'
import { scopeNames } from '../scopes.ts'
import type { Origin, SecurityEvents } from '../security-events.ts'
import {
  type Account,
  accountColumns,
  joinGranted,
  principalOf,
  type ResolvedCredential,
} from '../users/account.ts'
import { changeLimits, type GivenLimits, showLimits } from './key-limits.ts'

/** An API key as its owner sees it; the key itself is returned only when it is created. */
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
  readonly limits: KeyLimits | null
}

interface NewApiKey {
  readonly userId: string
  readonly name: string
  readonly scopes: readonly string[] | null
  readonly expiresAt: Date | null
  readonly limits?: GivenLimits | null
  readonly by: string | null
  readonly origin?: Origin
}

/** Selects one key; with an owner, only when that account owns it. */
interface KeySelector {
  readonly id: string
  readonly ownerId: string | null
}

interface KeyChange extends KeySelector {
  readonly name?: string | undefined
  /** Null: the key does not expire. */
  readonly expiresAt?: Date | null | undefined
  /** Absent limits stay unchanged, null removes one; null instead of the object removes all. */
  readonly limits?: GivenLimits | null | undefined
  readonly by: string | null
  readonly origin?: Origin
}

export interface ApiKeys {
  /** Throws `invalid_input` for bad scopes or a bad expiry, `conflict` when the account has the maximum number of keys. */
  create(key: NewApiKey): Promise<ApiKeyRecord & { readonly key: string }>
  /** Lists the keys of one account, or of all when `userId` is null. Revoked keys are left out. */
  list(options: {
    readonly userId: string | null
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly keys: readonly ApiKeyRecord[]; readonly total: number }>
  /** Returns undefined when there is no such key, it is revoked, or `ownerId` is given and does not own it. */
  read(selector: KeySelector): Promise<ApiKeyRecord | undefined>
  /** Changes a key; undefined as for `read`. Throws `invalid_input` for a bad expiry. All replicas apply the change at once. */
  update(change: KeyChange): Promise<ApiKeyRecord | undefined>
  /** Returns false when there is no such key, or `ownerId` is given and does not own it. */
  revoke(options: KeySelector & { readonly by: string | null; readonly origin?: Origin }): Promise<boolean>
  /** Finds the account of a key. An expired key is returned with its expiry; a revoked one is not. */
  find(key: string): Promise<ResolvedCredential | undefined>
  removeRevoked(): Promise<number>
}

const columns = `
  key.id, key.name, key.prefix, key.scopes, key.user_id, account.username,
  key.created_at, key.expires_at, key.last_used_at, key.limits
`

const listStatement = `
  select ${columns}
  from identity_api_keys as key
  join identity_users as account on account.id = key.user_id
  where key.revoked_at is null and ($1::uuid is null or key.user_id = $1)
  order by key.created_at, key.id
  limit $2 offset $3
`

const readStatement = `
  select ${columns}
  from identity_api_keys as key
  join identity_users as account on account.id = key.user_id
  where key.id = $1 and key.revoked_at is null and ($2::uuid is null or key.user_id = $2)
`

const countStatement = `
  select count(*) as total from identity_api_keys
  where revoked_at is null and ($1::uuid is null or user_id = $1)
`

const findStatement = `
  select key.id as key_id, key.scopes, key.expires_at, key.limits, ${accountColumns}
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
  /** Called after a commit that changes or revokes a key, to clear the caches of this process. */
  readonly changed: () => void
}): ApiKeys {
  return {
    async create({ userId, name, scopes, expiresAt, limits: given = null, by, origin }) {
      requireScopes(scopes)
      requireExpiry(expiresAt, database.clock.now())
      const limits = changeLimits(null, given)
      const key = generateApiKey()
      const record = await database.transaction(async (transaction) => {
        await requireBelowKeyLimit(transaction, userId)
        const { rows } = await sql<ApiKeyRecord>`
          with key as (
            insert into identity_api_keys (user_id, name, prefix, key_hash, scopes, expires_at, limits)
            values (
              ${userId}, ${name}, ${shownPrefix(key)}, ${hashApiKey(key)}, ${scopes}::text[], ${expiresAt},
              ${toJson(limits)}::jsonb
            )
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
          data: { name, prefix: created.prefix, scopes, limits: showLimits(limits) },
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

    async read({ id, ownerId }) {
      const [key] = await database.query<ApiKeyRecord>(readStatement, [id, ownerId])
      return key
    },

    async update({ id, ownerId, name, expiresAt, limits: given, by, origin }) {
      if (expiresAt !== undefined) requireExpiry(expiresAt, database.clock.now())
      const updated = await database.transaction(async (transaction) => {
        const { rows: found } = await sql<Pick<ApiKeyRecord, 'name' | 'expires_at' | 'limits'>>`
          select name, expires_at, limits from identity_api_keys
          where id = ${id} and revoked_at is null and (${ownerId}::uuid is null or user_id = ${ownerId})
          for no key update
        `.execute(transaction)
        const [current] = found
        if (current === undefined) return undefined
        const limits = given === undefined ? current.limits : changeLimits(current.limits, given)
        const { rows } = await sql<ApiKeyRecord>`
          with key as (
            update identity_api_keys
            set
              name = ${name ?? current.name},
              expires_at = ${expiresAt === undefined ? current.expires_at : expiresAt},
              limits = ${toJson(limits)}::jsonb
            where id = ${id}
            returning *
          )
          select ${sql.raw(columns)} from key join identity_users as account on account.id = key.user_id
        `.execute(transaction)
        const [key] = rows
        if (key === undefined) throw new Error('the key was not stored')
        await securityEvents.appendWithin(transaction, {
          type: 'identity.api_key_changed',
          subject: id,
          account: key.user_id,
          by,
          ...(origin !== undefined && { origin }),
          data: {
            name: key.name,
            prefix: key.prefix,
            expires_at: key.expires_at?.toISOString() ?? null,
            limits: showLimits(key.limits),
          },
        })
        return key
      })
      if (updated !== undefined) changed()
      return updated
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
          readonly limits: KeyLimits | null
        }
      >(findStatement, [hashApiKey(key)])
      if (row === undefined) return undefined
      const { key_id: credential, scopes, expires_at: expiresAt, limits, ...account } = row
      const principal = principalOf(account, { method: 'api_key', credential, scopes })
      return { principal: limits === null ? principal : { ...principal, limits }, expiresAt }
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

/** The driver would send an array or a string in another form. */
function toJson(limits: KeyLimits | null): string | null {
  return limits === null ? null : JSON.stringify(limits)
}

/** The maximum number of valid keys of one account. */
export const maxKeys = 100

const maxYears = 10

/** Null: every permission of the owner. A list limits the key, so an empty list would make it useless. */
function requireScopes(scopes: readonly string[] | null): void {
  if (scopes === null) return
  if (scopes.length === 0)
    throw invalidField('scopes', 'must name at least one scope, or be left out', 'minItems')
  requireKnownNames({ path: 'scopes', noun: 'scope', given: scopes, known: scopeNames })
}

function requireExpiry(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null) return
  const latest = new Date(now)
  latest.setFullYear(latest.getFullYear() + maxYears)
  const time = expiresAt.getTime()
  if (Number.isNaN(time)) throw invalidField('expires_at', 'must be a valid date and time', 'format')
  if (time <= now.getTime()) throw invalidField('expires_at', 'must be in the future', 'minimum')
  if (time > latest.getTime()) {
    throw invalidField('expires_at', `must be within ${maxYears} years`, 'maximum')
  }
}

/**
 * Throws `conflict` when the account has the maximum number of keys. The row lock serialises concurrent requests that
 * create keys for the same account.
 */
async function requireBelowKeyLimit(transaction: Transaction<NoTables>, userId: string): Promise<void> {
  const owner = await sql`select from identity_users where id = ${userId} for no key update`.execute(
    transaction,
  )
  if (owner.rows.length === 0) throw kernelFailure('not_found', { message: 'There is no such account.' })
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from identity_api_keys
    where user_id = ${userId} and revoked_at is null and (expires_at is null or expires_at > now())
  `.execute(transaction)
  if ((rows[0]?.count ?? 0) < maxKeys) return
  throw kernelFailure('conflict', {
    message: `An account can have at most ${maxKeys} API keys. Revoke one that is no longer used.`,
  })
}

const apiKeyPrefix = 'tk_'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 40

/** Generates a key of 40 random letters and digits (238 bits); without punctuation, a double click selects all of it. */
export function generateApiKey(): string {
  let value = ''
  while (value.length < length) {
    for (const byte of randomBytes(length)) {
      // 256 is not a multiple of 62: bytes from 248 on are discarded, or the first characters would be more frequent.
      if (byte < 248 && value.length < length) value += letters.charAt(byte % letters.length)
    }
  }
  return apiKeyPrefix + value
}

/** A key has more than 200 bits of entropy, so a fast hash without salt is safe. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** The beginning of a key, shown to tell keys apart. */
export function shownPrefix(key: string): string {
  return key.slice(0, 8)
}
