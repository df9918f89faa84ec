import type { Database } from '#kernel/database'
import { createAccountCache } from '../authentication/authenticate.ts'
import type { GrantType } from './client.ts'

/** An OAuth client as the authorization server reads it. */
export interface CachedClient {
  readonly clientId: string
  readonly name: string
  /** The username of the account that registered the client. */
  readonly owner: string
  readonly secretHash: Buffer | null
  readonly redirectUris: readonly string[]
  readonly scopes: readonly string[]
  readonly grantTypes: readonly GrantType[]
  /** False when the account that the client acts for in a client credentials grant is disabled. */
  readonly ownerEnabled: boolean
}

/** Recently used clients, so that a token request needs no database query to find its client. */
export interface ClientCache {
  find(clientId: string): Promise<CachedClient | undefined>
  /** Called after every change of a client or an account, on any replica. */
  clear(): void
}

const statement = `
  select
    client.client_id as "clientId", client.name, account.username as owner, client.secret_hash as "secretHash",
    client.redirect_uris as "redirectUris", client.scopes, client.grant_types as "grantTypes",
    account.disabled_at is null as "ownerEnabled"
  from identity_oauth_clients as client
  join identity_users as account on account.id = client.user_id
  where client.client_id = $1
`

const capacity = 1000

/** Longer than any client id of this platform: a longer one is not looked up. */
const maxClientIdLength = 100

export function createClientCache({ database }: { readonly database: Database }): ClientCache {
  const cache = createAccountCache<CachedClient>({ capacity })
  return {
    async find(clientId) {
      if (clientId.length > maxClientIdLength || clientId.includes('\0')) return undefined
      return await cache.find(clientId, async () => {
        const [client] = await database.query<CachedClient>(statement, [clientId])
        return client
      })
    },
    clear: () => cache.clear(),
  }
}
