import type { Database } from '#kernel/database'
import type { GrantType } from './client.ts'

/** A client as the authorization server sees it. */
export interface KnownClient {
  readonly clientId: string
  readonly name: string
  /** The username of whoever registered it. */
  readonly owner: string
  readonly secretHash: Buffer | null
  readonly redirectUris: readonly string[]
  readonly scopes: readonly string[]
  readonly grantTypes: readonly GrantType[]
  /** Whether the account it acts for when it acts without a user can still sign in. */
  readonly ownerEnabled: boolean
}

/** The clients of the last requests, so that a token costs no look into the database for who asks. */
export interface KnownClients {
  find(clientId: string): Promise<KnownClient | undefined>
  /** Called for every change of a client or an account, wherever it was made. */
  forgetAll(): void
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

/** What a lost message could leave behind is gone after this. */
const keepMs = 10_000
const capacity = 1000

/** Longer than any of ours; whatever it is, it need not be looked for. */
const longestClientId = 100

export function createKnownClients({
  database,
  now = Date.now,
}: {
  readonly database: Database
  readonly now?: () => number
}): KnownClients {
  const entries = new Map<string, { readonly client: KnownClient; readonly until: number }>()
  let generation = 0

  return {
    async find(clientId) {
      const entry = entries.get(clientId)
      if (entry !== undefined && entry.until > now()) return entry.client
      if (clientId.length > longestClientId || clientId.includes('\0')) return undefined
      const begun = generation
      const [client] = await database.query<KnownClient>(statement, [clientId])
      entries.delete(clientId)
      // What was read before a change must not outlive it.
      if (client === undefined || begun !== generation) return client
      entries.set(clientId, { client, until: now() + keepMs })
      const [oldest] = entries.keys()
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
      return client
    },

    forgetAll() {
      generation += 1
      entries.clear()
    },
  }
}
