import { sql, type Transaction } from 'kysely'
import type { NoTables } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import { invalidField } from '../errors.ts'
import { requireKnown } from '../require-known.ts'
import { scopeNames } from '../scopes.ts'

/** Live keys of one account. */
const mostKeys = 100

const longestYears = 10

/** Null: whatever the owner may do. A list limits the key, so an empty one would make it useless. */
export function requireScopes(scopes: readonly string[] | null): void {
  if (scopes === null) return
  if (scopes.length === 0)
    throw invalidField('scopes', 'must name at least one scope, or be absent', 'minItems')
  requireKnown({ path: 'scopes', noun: 'scope', given: scopes, known: scopeNames })
}

export function requireExpiry(expiresAt: Date | null): void {
  if (expiresAt === null) return
  const latest = new Date()
  latest.setFullYear(latest.getFullYear() + longestYears)
  const time = expiresAt.getTime()
  if (Number.isNaN(time)) throw invalidField('expires_at', 'must be a date and a time that exist', 'format')
  if (time <= Date.now()) throw invalidField('expires_at', 'must be in the future', 'minimum')
  if (time > latest.getTime()) {
    throw invalidField('expires_at', `must be within ${longestYears} years`, 'maximum')
  }
}

/** Throws when the account has as many keys as it can. Others who make keys for it wait until the commit. */
export async function requireRoom(transaction: Transaction<NoTables>, userId: string): Promise<void> {
  const owner = await sql`select from identity_users where id = ${userId} for no key update`.execute(
    transaction,
  )
  if (owner.rows.length === 0) throw kernelFailure('not_found', { message: 'There is no such account.' })
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from identity_api_keys
    where user_id = ${userId} and revoked_at is null and (expires_at is null or expires_at > now())
  `.execute(transaction)
  if ((rows[0]?.count ?? 0) < mostKeys) return
  throw kernelFailure('conflict', {
    message: `An account can have ${mostKeys} API keys. Revoke one that is no longer used.`,
  })
}
