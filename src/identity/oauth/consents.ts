import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import type { Origin, SecurityEvents } from '../security-events.ts'
import type { Revocations } from '../tokens/revocations.ts'

/** The consent of an account to an application. */
interface Authorization {
  readonly id: string
  readonly client_id: string
  readonly client_name: string
  readonly scopes: readonly string[]
  readonly created_at: Date
  /** When the application last got a token. */
  readonly last_used_at: Date | null
}

interface ConsentKey {
  readonly userId: string
  readonly clientId: string
}

/** The scopes that accounts have granted to clients. A consent lasts until it is withdrawn, even when its tokens end. */
export interface Consents {
  /** The granted scopes; an empty list without a consent. */
  find(key: ConsentKey): Promise<readonly string[]>
  /** Adds scopes to the consent. */
  give(consent: ConsentKey & { readonly scopes: readonly string[]; readonly origin: Origin }): Promise<void>
  refuse(consent: ConsentKey & { readonly scopes: readonly string[]; readonly origin: Origin }): Promise<void>
  list(options: {
    readonly userId: string
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly authorizations: readonly Authorization[]; readonly total: number }>
  /** Revokes every token the client has for this account. False when there is no such consent. */
  withdraw(options: {
    readonly id: string
    readonly userId: string
    readonly origin: Origin
  }): Promise<boolean>
}

const findStatement = `
  select payload->'scopes' as scopes from identity_oauth_records where model = 'Consent' and id = $1
`

const listStatement = `
  select
    consent.uid as id, consent.client_id, client.name as client_name, consent.payload->'scopes' as scopes,
    consent.created_at, (consent.payload->>'last_used_at')::timestamptz as last_used_at
  from identity_oauth_records as consent
  join identity_oauth_clients as client on client.client_id = consent.client_id
  where consent.model = 'Consent' and consent.user_id = $1
  order by consent.created_at, consent.uid
  limit $2 offset $3
`

const countStatement = `
  select count(*) as total from identity_oauth_records where model = 'Consent' and user_id = $1
`

export function createConsents({
  database,
  revocations,
  securityEvents,
}: {
  readonly database: Database
  readonly revocations: Revocations
  readonly securityEvents: SecurityEvents
}): Consents {
  return {
    async find(key) {
      const [consent] = await database.query<{ scopes: readonly string[] }>(findStatement, [idOf(key)])
      return consent?.scopes ?? []
    },

    async give({ userId, clientId, scopes, origin }) {
      await database.transaction(async (transaction) => {
        await sql`
          insert into identity_oauth_records as known (model, id, payload, uid, user_id, client_id)
          values (
            'Consent', ${idOf({ userId, clientId })}, jsonb_build_object('scopes', ${scopes}::text[]),
            gen_random_uuid(), ${userId}, ${clientId}
          )
          on conflict (model, id) do update set payload = known.payload || jsonb_build_object(
            'scopes',
            (
              select jsonb_agg(distinct scope)
              from jsonb_array_elements(known.payload->'scopes' || (excluded.payload->'scopes')) as scope
            )
          )
        `.execute(transaction)
        await securityEvents.appendWithin(transaction, {
          type: 'identity.consent_given',
          subject: clientId,
          account: userId,
          origin,
          data: { scopes },
        })
      })
    },

    async refuse({ userId, clientId, scopes, origin }) {
      await securityEvents.append({
        type: 'identity.consent_refused',
        subject: clientId,
        account: userId,
        origin,
        data: { scopes },
      })
    },

    async list({ userId, limit, offset }) {
      const [authorizations, [counted]] = await Promise.all([
        database.query<Authorization>(listStatement, [userId, limit, offset]),
        database.query<{ total: number }>(countStatement, [userId]),
      ])
      return { authorizations, total: counted?.total ?? 0 }
    },

    async withdraw({ id, userId, origin }) {
      const ended = await database.transaction(async (transaction) => {
        const consents = await sql<{ client_id: string }>`
          delete from identity_oauth_records
          where model = 'Consent' and uid = ${id} and user_id = ${userId}
          returning client_id
        `.execute(transaction)
        const [consent] = consents.rows
        if (consent === undefined) return undefined
        const grants = await sql<{ grant_id: string }>`
          with removed as (
            delete from identity_oauth_records
            where user_id = ${userId} and client_id = ${consent.client_id}
            returning grant_id
          )
          select distinct grant_id from removed where grant_id is not null
        `.execute(transaction)
        const ids = grants.rows.map(({ grant_id }) => grant_id)
        await revocations.storeWithin(transaction, ids)
        await securityEvents.appendWithin(transaction, {
          type: 'identity.consent_withdrawn',
          subject: consent.client_id,
          account: userId,
          origin,
        })
        return ids
      })
      for (const grant of ended ?? []) revocations.add(grant)
      return ended !== undefined
    },
  }
}

/** An account has at most one consent per client. */
function idOf({ userId, clientId }: ConsentKey): Buffer {
  return createHash('sha256').update(`${userId} ${clientId}`).digest()
}
