import { sql, type Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Actor } from '../actor.ts'
import type { SecurityEvents, SecurityEventType } from '../security-events.ts'
import {
  type ClientSettings,
  generateClientId,
  generateClientSecret,
  hashClientSecret,
  type OAuthClient,
} from './client.ts'

/** Selects one client; with an owner, only when that account owns it. */
interface ClientSelector {
  readonly clientId: string
  readonly ownerId: string | null
}

export interface Clients {
  /** Registers a client. Its secret is returned here and never again. Throws `conflict` at the limit of the account. */
  create(
    client: ClientSettings & { readonly userId: string; readonly public: boolean },
    actor: Actor,
  ): Promise<{ readonly client: OAuthClient; readonly secret: string | undefined }>
  /** Lists the clients of one account, or of all when `userId` is null. */
  list(options: {
    readonly userId: string | null
    readonly limit: number
    readonly offset: number
  }): Promise<{ readonly clients: readonly OAuthClient[]; readonly total: number }>
  read(selector: ClientSelector): Promise<OAuthClient | undefined>
  update(selector: ClientSelector, settings: ClientSettings, actor: Actor): Promise<OAuthClient | undefined>
  /** Returns the new secret; the old one stops working at once. Undefined for a public client. */
  replaceSecret(selector: ClientSelector, actor: Actor): Promise<string | undefined>
  /** Deletes the client and revokes everything issued to it. */
  remove(selector: ClientSelector, actor: Actor): Promise<boolean>
}

const columns = `
  client.client_id, client.name, client.redirect_uris, client.scopes, client.grant_types,
  client.secret_hash is null as public, client.user_id, account.username,
  client.created_at, client.last_used_at
`

const listStatement = `
  select ${columns}
  from identity_oauth_clients as client
  join identity_users as account on account.id = client.user_id
  where $1::uuid is null or client.user_id = $1
  order by client.created_at, client.client_id
  limit $2 offset $3
`

const countStatement = `
  select count(*) as total from identity_oauth_clients where $1::uuid is null or user_id = $1
`

const readStatement = `
  select ${columns}
  from identity_oauth_clients as client
  join identity_users as account on account.id = client.user_id
  where client.client_id = $1 and ($2::uuid is null or client.user_id = $2)
`

export interface ClientsOptions {
  readonly database: Database
  readonly securityEvents: SecurityEvents
  /** Called after a commit that changes a client, to clear the caches of this process. */
  readonly changed: () => void
}

export function createClients({ database, securityEvents, changed }: ClientsOptions): Clients {
  async function appendEvent(
    transaction: Transaction<NoTables>,
    type: SecurityEventType,
    client: Pick<OAuthClient, 'client_id' | 'user_id' | 'name'>,
    actor: Actor,
    data = {},
  ): Promise<void> {
    await securityEvents.appendWithin(transaction, {
      type,
      subject: client.client_id,
      account: client.user_id,
      ...actor,
      data: { name: client.name, ...data },
    })
  }

  return {
    async create({ userId, name, redirect_uris, scopes, grant_types, public: isPublic }, actor) {
      const secret = isPublic ? undefined : generateClientSecret()
      const hash = secret === undefined ? null : hashClientSecret(secret)
      const client = await database.transaction(async (transaction) => {
        await requireBelowClientLimit(transaction, userId)
        const { rows } = await sql<OAuthClient>`
          with client as (
            insert into identity_oauth_clients
              (client_id, user_id, name, secret_hash, redirect_uris, scopes, grant_types)
            values (${generateClientId()}, ${userId}, ${name}, ${hash}, ${redirect_uris}, ${scopes}, ${grant_types})
            returning *
          )
          select ${sql.raw(columns)}
          from client join identity_users as account on account.id = client.user_id
        `.execute(transaction)
        const [created] = rows
        if (created === undefined) throw new Error('the client was not stored')
        await appendEvent(transaction, 'identity.oauth_client_created', created, actor, {
          public: isPublic,
          scopes,
          grant_types,
        })
        return created
      })
      return { client, secret }
    },

    async list({ userId, limit, offset }) {
      const [clients, [counted]] = await Promise.all([
        database.query<OAuthClient>(listStatement, [userId, limit, offset]),
        database.query<{ total: number }>(countStatement, [userId]),
      ])
      return { clients, total: counted?.total ?? 0 }
    },

    async read({ clientId, ownerId }) {
      const [client] = await database.query<OAuthClient>(readStatement, [clientId, ownerId])
      return client
    },

    async update({ clientId, ownerId }, { name, redirect_uris, scopes, grant_types }, actor) {
      const updated = await database.transaction(async (transaction) => {
        const { rows } = await sql<OAuthClient>`
          with client as (
            update identity_oauth_clients
            set name = ${name}, redirect_uris = ${redirect_uris}, scopes = ${scopes}, grant_types = ${grant_types}
            where client_id = ${clientId} and (${ownerId}::uuid is null or user_id = ${ownerId})
            returning *
          )
          select ${sql.raw(columns)}
          from client join identity_users as account on account.id = client.user_id
        `.execute(transaction)
        const [client] = rows
        if (client === undefined) return undefined
        await appendEvent(transaction, 'identity.oauth_client_changed', client, actor, {
          redirect_uris,
          scopes,
          grant_types,
        })
        return client
      })
      if (updated !== undefined) changed()
      return updated
    },

    async replaceSecret({ clientId, ownerId }, actor) {
      const secret = generateClientSecret()
      const replaced = await database.transaction(async (transaction) => {
        const { rows } = await sql<Pick<OAuthClient, 'client_id' | 'user_id' | 'name'>>`
          update identity_oauth_clients set secret_hash = ${hashClientSecret(secret)}
          where client_id = ${clientId}
            and (${ownerId}::uuid is null or user_id = ${ownerId})
            and secret_hash is not null
          returning client_id, user_id, name
        `.execute(transaction)
        const [client] = rows
        if (client === undefined) return false
        await appendEvent(transaction, 'identity.oauth_client_changed', client, actor, {
          secret_replaced: true,
        })
        return true
      })
      if (!replaced) return undefined
      changed()
      return secret
    },

    async remove({ clientId, ownerId }, actor) {
      // OAuth records are deleted by their foreign key; access tokens are refused because their client no longer exists.
      const removed = await database.transaction(async (transaction) => {
        const { rows } = await sql<Pick<OAuthClient, 'client_id' | 'user_id' | 'name'>>`
          delete from identity_oauth_clients
          where client_id = ${clientId} and (${ownerId}::uuid is null or user_id = ${ownerId})
          returning client_id, user_id, name
        `.execute(transaction)
        const [client] = rows
        if (client === undefined) return false
        await appendEvent(transaction, 'identity.oauth_client_deleted', client, actor)
        return true
      })
      if (removed) changed()
      return removed
    },
  }
}

const maxClients = 100

/** Throws `conflict` at the limit. The row lock serialises concurrent registrations for the same account. */
async function requireBelowClientLimit(transaction: Transaction<NoTables>, userId: string): Promise<void> {
  const owner = await sql`select from identity_users where id = ${userId} for no key update`.execute(
    transaction,
  )
  if (owner.rows.length === 0) throw kernelFailure('not_found', { message: 'There is no such account.' })
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from identity_oauth_clients where user_id = ${userId}
  `.execute(transaction)
  if ((rows[0]?.count ?? 0) < maxClients) return
  throw kernelFailure('conflict', {
    message: `An account can have at most ${maxClients} OAuth clients. Delete one that is no longer used.`,
  })
}
