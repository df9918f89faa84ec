import type { Database } from '#kernel/database'
import {
  type Account,
  accountColumns,
  joinGranted,
  principalOf,
  type ResolvedCredential,
} from '../users/account.ts'
import type { AccessToken } from './access-tokens.ts'

const statement = `
  select ${accountColumns}, client.scopes as client_scopes
  from identity_users as account
  left join identity_oauth_clients as client on client.client_id = $2
  ${joinGranted}
  where account.id = case when $1 = $2 then client.user_id else $3::uuid end
    and account.disabled_at is null
    and ($2::text is null or client.client_id is not null)
`

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Finds the account of an access token. A client credentials token acts for the account that registered the client. The
 * scopes of a client's token are limited to the client's current scopes; a deleted client's token has no account.
 */
export async function findTokenHolder(
  database: Database,
  { subject, grant, clientId, scopes }: AccessToken,
): Promise<ResolvedCredential | undefined> {
  const [row] = await database.query<Account & { readonly client_scopes: readonly string[] | null }>(
    statement,
    [subject, clientId, uuid.test(subject) ? subject : null],
  )
  if (row === undefined) return undefined
  const { client_scopes: allowed, ...account } = row
  const limitedTo = clientId === null ? null : scopes.filter((scope) => allowed?.includes(scope) === true)
  return {
    principal: principalOf(account, { method: 'token', credential: grant, scopes: limitedTo }),
    expiresAt: null,
  }
}
