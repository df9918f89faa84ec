import { sql, type Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import type { Actor } from '../actor.ts'
import type { SecurityEvents } from '../security-events.ts'
import type { Revocations } from '../tokens/revocations.ts'

/** A sign-in of an account: a browser session, or the token family of a program. */
export interface SignIn {
  readonly id: string
  readonly kind: 'browser' | 'token'
  readonly current: boolean
  readonly created_at: Date
  readonly last_seen_at: Date
  readonly expires_at: Date
  readonly ip: string
  readonly user_agent: string | null
}

interface OwnSignIns {
  readonly userId: string
  /** The sign-in of the current request; null when it used another credential. */
  readonly current: string | null
}

/** The sign-ins of an account, for its owner to list and to end. */
export interface SignIns {
  list(
    options: OwnSignIns & { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly signIns: readonly SignIn[]; readonly total: number }>
  /** False when the account has no such sign-in. */
  end(options: { readonly userId: string; readonly id: string } & Actor): Promise<boolean>
  endOthers(options: OwnSignIns & Actor): Promise<void>
  /** The same within a transaction. Call `committed` after the commit, so that this process applies it at once. */
  endOthersWithin(transaction: Transaction<NoTables>, options: OwnSignIns): Promise<EndedSignIns>
}

interface EndedSignIns {
  readonly count: number
  readonly committed: () => void
}

const openSignIns = `
  select public_id as id, 'browser' as kind, created_at, last_seen_at, expires_at, ip, user_agent
  from identity_sessions
  where user_id = $1 and expires_at > now()
  union all
  select id, 'token', created_at, last_used_at, expires_at, ip, user_agent
  from identity_token_families
  where user_id = $1 and expires_at > now()
`

/** The current one first, then by age: a sign-in during paging moves none to another page. */
const listStatement = `
  select *, id is not distinct from $2::uuid as current
  from (${openSignIns}) as sign_in
  order by current desc, created_at, id
  limit $3 offset $4
`

const countStatement = `select count(*) as total from (${openSignIns}) as sign_in`

export function createSignIns({
  database,
  revocations,
  securityEvents,
}: {
  readonly database: Database
  readonly revocations: Revocations
  readonly securityEvents: SecurityEvents
}): SignIns {
  async function endOthersWithin(transaction: Transaction<NoTables>, { userId, current }: OwnSignIns) {
    const sessions = await sql`
      delete from identity_sessions
      where user_id = ${userId} and public_id is distinct from ${current}::uuid
      returning public_id
    `.execute(transaction)
    const families = await sql<{ id: string }>`
      delete from identity_token_families
      where user_id = ${userId} and id is distinct from ${current}::uuid
      returning id
    `.execute(transaction)
    const ended = families.rows.map(({ id }) => id)
    await revocations.storeWithin(transaction, ended)
    return {
      count: sessions.rows.length + ended.length,
      committed: () => {
        for (const id of ended) revocations.add(id)
      },
    }
  }

  return {
    async list({ userId, current, limit, offset }) {
      const [signIns, [counted]] = await Promise.all([
        database.query<SignIn>(listStatement, [userId, current, limit, offset]),
        database.query<{ total: number }>(countStatement, [userId]),
      ])
      return { signIns, total: counted?.total ?? 0 }
    },

    async end({ userId, id, ...actor }) {
      const kind = await database.transaction(async (transaction) => {
        const ended = await endOneWithin(transaction, userId, id)
        if (ended === undefined) return undefined
        // The access tokens of a program are self-contained, so they have to be revoked as well.
        if (ended === 'token') await revocations.storeWithin(transaction, [id])
        await securityEvents.appendWithin(transaction, {
          type: 'identity.session_ended',
          subject: id,
          account: userId,
          ...actor,
          data: { kind: ended },
        })
        return ended
      })
      if (kind === 'token') revocations.add(id)
      return kind !== undefined
    },

    async endOthers({ userId, current, ...actor }) {
      const { committed } = await database.transaction(async (transaction) => {
        const ended = await endOthersWithin(transaction, { userId, current })
        if (ended.count > 0) {
          await securityEvents.appendWithin(transaction, {
            type: 'identity.session_ended',
            subject: userId,
            account: userId,
            ...actor,
            data: { kind: 'all_others', count: ended.count },
          })
        }
        return ended
      })
      committed()
    },

    endOthersWithin,
  }
}

async function endOneWithin(
  transaction: Transaction<NoTables>,
  userId: string,
  id: string,
): Promise<SignIn['kind'] | undefined> {
  const { rows } = await sql<{ kind: SignIn['kind'] }>`
    with session as (
      delete from identity_sessions where public_id = ${id} and user_id = ${userId} returning 'browser' as kind
    ),
    family as (
      delete from identity_token_families where id = ${id} and user_id = ${userId} returning 'token' as kind
    )
    select kind from session union all select kind from family
  `.execute(transaction)
  return rows[0]?.kind
}
