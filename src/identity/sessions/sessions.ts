import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { IdentitySettings } from '../settings.ts'
import { type Account, accountColumns, joinGranted } from '../users/account.ts'
import { deriveCsrfToken } from './csrf-tokens.ts'

/** A browser session. */
interface Session {
  /** A public id that does not authenticate. */
  readonly id: string
  readonly account: Account
  readonly csrfToken: string
}

interface NewSession {
  readonly cookieValue: string
  readonly csrfToken: string
  readonly maxAgeSeconds: number
  /** Whether the public URL is https, even when a proxy forwards requests by http. */
  readonly secure: boolean
}

interface BeginSession {
  /** The account with the password hash that was verified; no session begins when the hash has changed since. */
  readonly account: Account
  /** The cookie of the browser's previous session, which ends. */
  readonly replaces: string | undefined
  readonly ip: string
  readonly userAgent: string | undefined
}

/**
 * | state | on | next |
 * |---|---|---|
 * | absent | sign-in | open, with a new cookie value and a full lifetime |
 * | open | a request, at least a minute after `last_seen_at` | open; the idle time restarts, within the total lifetime |
 * | open | idle time or lifetime exceeded, or the account disabled | invalid; deleted by the clean-up |
 * | open | sign-out, or a new sign-in in the same browser | absent |
 */
export interface Sessions {
  /** Undefined when the account was disabled or its password changed since it was checked. */
  begin(options: BeginSession): Promise<NewSession | undefined>
  find(cookieValue: string | undefined): Promise<Session | undefined>
  end(cookieValue: string): Promise<void>
  removeExpired(): Promise<number>
}

const beginStatement = `
  with ended as (
    delete from identity_sessions where id = $1
  ),
  signed_in as (
    update identity_users set last_login_at = now()
    where id = $2 and password_hash = $3 and disabled_at is null
    returning id
  )
  insert into identity_sessions (id, user_id, csrf_secret, expires_at, ip, user_agent)
  select $4, id, $5, now() + least($6::integer, $7::integer) * interval '1 hour', $8, $9
  from signed_in
  returning created_at
`

const findStatement = `
  select
    ${accountColumns},
    session.public_id,
    session.csrf_secret,
    session.last_seen_at < now() - interval '1 minute' as stale
  from identity_sessions as session
  join identity_users as account on account.id = session.user_id
  ${joinGranted}
  where session.id = $1 and session.expires_at > now() and account.disabled_at is null
`

const touchStatement = `
  update identity_sessions
  set
    last_seen_at = now(),
    expires_at = least(created_at + $2 * interval '1 hour', now() + $3 * interval '1 hour')
  where id = $1 and last_seen_at < now() - interval '1 minute'
`

/** Skips locked rows: a user that is deleted, or signed out everywhere, removes several rows in another order. */
const removeStatement = `
  with removed as (
    delete from identity_sessions
    where id in (select id from identity_sessions where expires_at <= now() limit 5000 for update skip locked)
    returning id
  )
  select count(*) as count from removed
`

type FoundRow = Account & {
  readonly public_id: string
  readonly csrf_secret: Buffer
  readonly stale: boolean
}

export function createSessions({
  database,
  settings: { sessionHours, sessionIdleHours, publicUrl },
}: {
  readonly database: Database
  readonly settings: IdentitySettings
}): Sessions {
  return {
    async begin({ account, replaces, ip, userAgent }) {
      const cookieValue = randomBytes(32).toString('base64url')
      const csrfSecret = randomBytes(32)
      const [begun] = await database.query(beginStatement, [
        replaces === undefined ? null : idOf(replaces),
        account.id,
        account.password_hash,
        idOf(cookieValue),
        csrfSecret,
        sessionHours,
        sessionIdleHours,
        ip,
        userAgent?.slice(0, 512) ?? null,
      ])
      if (begun === undefined) return undefined
      return {
        cookieValue,
        csrfToken: deriveCsrfToken(csrfSecret, cookieValue),
        maxAgeSeconds: sessionHours * 3600,
        secure: publicUrl?.startsWith('https:') === true,
      }
    },

    async find(cookieValue) {
      if (cookieValue === undefined) return undefined
      const id = idOf(cookieValue)
      const [row] = await database.query<FoundRow>(findStatement, [id])
      if (row === undefined) return undefined
      if (row.stale) await database.query(touchStatement, [id, sessionHours, sessionIdleHours])
      const { public_id, csrf_secret, stale: _, ...account } = row
      return { id: public_id, account, csrfToken: deriveCsrfToken(csrf_secret, cookieValue) }
    },

    async end(cookieValue) {
      await database.query('delete from identity_sessions where id = $1', [idOf(cookieValue)])
    },

    async removeExpired() {
      let total = 0
      for (let removed = Number.POSITIVE_INFINITY; removed > 0; total += removed) {
        const [row] = await database.query<{ count: number }>(removeStatement)
        removed = row?.count ?? 0
      }
      return total
    },
  }
}

function idOf(cookieValue: string): Buffer {
  return createHash('sha256').update(cookieValue).digest()
}
