import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { IdentitySettings } from '../settings.ts'
import { type Account, accountColumns, joinGranted } from '../users/account.ts'
import { makeCsrfToken } from './csrf-token.ts'

/** A browser that is signed in. */
interface Session {
  /** What it may be called by; nobody can sign in with it. */
  readonly id: string
  readonly account: Account
  readonly csrfToken: string
}

interface NewSession {
  readonly cookieValue: string
  readonly csrfToken: string
  readonly maxAgeSeconds: number
  /** Whether people reach the platform by https, whatever the last hop of a request was. */
  readonly secure: boolean
}

interface BeginSession {
  /** Signed in with the password of this hash; when it has changed since, nothing begins. */
  readonly account: Account
  /** The session this browser had before, which ends. */
  readonly replaces: string | undefined
  readonly ip: string
  readonly userAgent: string | undefined
}

/**
 * | state | on | next |
 * |---|---|---|
 * | absent | sign-in | open, with a value of its own and all its time |
 * | open | a request, a minute or more after the last one noted | open, the idle time starts again within the whole |
 * | open | idle time or whole time over, the account disabled | found by nobody; removed by the clean-up |
 * | open | sign-out, or a new sign-in in the same browser | absent |
 */
export interface Sessions {
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
    session.last_seen_at < now() - interval '1 minute' as unnoted
  from identity_sessions as session
  join identity_users as account on account.id = session.user_id
  ${joinGranted}
  where session.id = $1 and session.expires_at > now() and account.disabled_at is null
`

const noteStatement = `
  update identity_sessions
  set
    last_seen_at = now(),
    expires_at = least(created_at + $2 * interval '1 hour', now() + $3 * interval '1 hour')
  where id = $1 and last_seen_at < now() - interval '1 minute'
`

const removeStatement = `
  with removed as (
    delete from identity_sessions
    where id in (select id from identity_sessions where expires_at <= now() limit 5000)
    returning id
  )
  select count(*) as count from removed
`

type FoundRow = Account & {
  readonly public_id: string
  readonly csrf_secret: Buffer
  readonly unnoted: boolean
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
        csrfToken: makeCsrfToken(csrfSecret, cookieValue),
        maxAgeSeconds: sessionHours * 3600,
        secure: publicUrl?.startsWith('https:') === true,
      }
    },

    async find(cookieValue) {
      if (cookieValue === undefined) return undefined
      const id = idOf(cookieValue)
      const [row] = await database.query<FoundRow>(findStatement, [id])
      if (row === undefined) return undefined
      if (row.unnoted) await database.query(noteStatement, [id, sessionHours, sessionIdleHours])
      const { public_id, csrf_secret, unnoted: _, ...account } = row
      return { id: public_id, account, csrfToken: makeCsrfToken(csrf_secret, cookieValue) }
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
