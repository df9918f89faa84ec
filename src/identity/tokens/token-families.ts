import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import type { Origin, SecurityEvents } from '../security-events.ts'
import type { Account } from '../users/account.ts'
import { refreshTokenSeconds } from './lifetimes.ts'
import type { Revocations } from './revocations.ts'

interface IssuedRefreshToken {
  readonly familyId: string
  readonly userId: string
  readonly refreshToken: string
}

/**
 * A token family is the chain of refresh tokens of one sign-in. The states of a refresh token:
 *
 * | state | on | next |
 * |---|---|---|
 * | fresh | used | used; a fresh token replaces it |
 * | fresh | 30 days | expired |
 * | used | used again within the grace period | used; a second fresh token is issued |
 * | used | used again | the whole family ends, because one of the two holders is not its owner |
 * | any | sign-out, password changed | the whole family ends |
 *
 * A family that ends is deleted from the table, and its access tokens are refused.
 */
export interface TokenFamilies {
  /** Undefined when the account was disabled or its password changed since it was checked. */
  begin(options: {
    readonly account: Account
    readonly origin: Origin
  }): Promise<IssuedRefreshToken | undefined>
  /** Exactly one of several concurrent requests with the same token gets a new one; the others get undefined. */
  rotate(refreshToken: string, origin: Origin): Promise<IssuedRefreshToken | undefined>
  /** Finds the family of a refresh token, used or not. */
  find(refreshToken: string): Promise<{ readonly familyId: string; readonly userId: string } | undefined>
  removeExpired(): Promise<number>
}

const beginStatement = `
  with signed_in as (
    update identity_users set last_login_at = now()
    where id = $1 and password_hash = $2 and disabled_at is null
    returning id
  ),
  family as (
    insert into identity_token_families (user_id, expires_at, ip, user_agent)
    select id, now() + $3 * interval '1 second', $4, $5 from signed_in
    returning id, user_id, expires_at
  ),
  token as (
    insert into identity_refresh_tokens (token_hash, family_id, expires_at)
    select $6, id, expires_at from family
  )
  select id as family_id, user_id from family
`

/** Locks the family before the token, in the same order as the deletion of a family: another order could deadlock. */
const rotateStatement = `
  with held as (
    select family.id, family.user_id
    from identity_token_families as family
    join identity_refresh_tokens as token on token.family_id = family.id
    join identity_users as account on account.id = family.user_id and account.disabled_at is null
    where token.token_hash = $1
    for no key update of family
  ),
  used as (
    update identity_refresh_tokens as token
    set used_at = coalesce(token.used_at, now())
    from held
    where token.token_hash = $1
      and token.expires_at > now()
      and (token.used_at is null or ($2::float8 > 0 and token.used_at > now() - $2 * interval '1 second'))
      and held.id = token.family_id
    returning held.id, held.user_id
  ),
  family as (
    update identity_token_families
    set last_used_at = now(), expires_at = now() + $3 * interval '1 second'
    from used
    where identity_token_families.id = used.id
    returning used.id, used.user_id, expires_at
  ),
  fresh as (
    insert into identity_refresh_tokens (token_hash, family_id, expires_at)
    select $4, id, expires_at from family
  )
  select id as family_id, user_id from family
`

const findStatement = `
  select family.id as family_id, family.user_id, token.used_at is not null as used
  from identity_refresh_tokens as token
  join identity_token_families as family on family.id = token.family_id
  where token.token_hash = $1 and token.expires_at > now()
`

interface FamilyRow {
  readonly family_id: string
  readonly user_id: string
}

export interface TokenFamiliesOptions {
  readonly database: Database
  readonly revocations: Revocations
  readonly securityEvents: SecurityEvents
  /** The period in which a used token is accepted once more, for two tabs that refresh at the same time. */
  readonly graceSeconds: number
}

export function createTokenFamilies({
  database,
  revocations,
  securityEvents,
  graceSeconds,
}: TokenFamiliesOptions): TokenFamilies {
  async function findRow(refreshToken: string) {
    const [row] = await database.query<FamilyRow & { readonly used: boolean }>(findStatement, [
      hashOf(refreshToken),
    ])
    return row
  }

  async function endReused({ family_id, user_id }: FamilyRow, origin: Origin): Promise<void> {
    await database.transaction(async (transaction) => {
      const { rows } = await sql`
        delete from identity_token_families where id = ${family_id} returning id
      `.execute(transaction)
      // Concurrent reuses append one event.
      if (rows.length === 0) return
      await revocations.storeWithin(transaction, [family_id])
      await securityEvents.appendWithin(transaction, {
        type: 'identity.refresh_token_reused',
        subject: user_id,
        account: user_id,
        origin,
      })
    })
    revocations.add(family_id)
  }

  return {
    async begin({ account, origin }) {
      const refreshToken = generateRefreshToken()
      const [row] = await database.query<FamilyRow>(beginStatement, [
        account.id,
        account.password_hash,
        refreshTokenSeconds,
        origin.ip,
        origin.userAgent ?? null,
        hashOf(refreshToken),
      ])
      return row === undefined ? undefined : issued(row, refreshToken)
    },

    async rotate(presented, origin) {
      const refreshToken = generateRefreshToken()
      const [row] = await database.query<FamilyRow>(rotateStatement, [
        hashOf(presented),
        graceSeconds,
        refreshTokenSeconds,
        hashOf(refreshToken),
      ])
      if (row !== undefined) return issued(row, refreshToken)
      const stored = await findRow(presented)
      if (stored?.used === true) await endReused(stored, origin)
      return undefined
    },

    async find(refreshToken) {
      const row = await findRow(refreshToken)
      return row === undefined ? undefined : { familyId: row.family_id, userId: row.user_id }
    },

    async removeExpired() {
      const removed = await database.query(
        'delete from identity_token_families where expires_at <= now() returning id',
      )
      // Used tokens are kept until they expire, so that their reuse is detected.
      await database.query('delete from identity_refresh_tokens where expires_at <= now()')
      return removed.length
    },
  }
}

function issued({ family_id, user_id }: FamilyRow, refreshToken: string): IssuedRefreshToken {
  return { familyId: family_id, userId: user_id, refreshToken }
}

function generateRefreshToken(): string {
  return `tr_${randomBytes(32).toString('base64url')}`
}

function hashOf(refreshToken: string): Buffer {
  return createHash('sha256').update(refreshToken).digest()
}
