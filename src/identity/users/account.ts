import type { Database } from '#kernel/database'
import type { Principal } from '#kernel/http'
import { permissions as everyPermission } from '../permissions.ts'
import { narrowPermissions } from '../scopes.ts'
import { isUsername, usernameKey } from './user-rules.ts'

/** An account with the permissions of its roles, as selected by `accountColumns`. */
export interface Account {
  readonly id: string
  readonly username: string
  readonly tier: string
  readonly password_hash: string | null
  readonly disabled: boolean
  readonly roles: readonly string[]
  readonly all_permissions: boolean
  readonly permissions: readonly string[] | null
}

export const accountColumns = `
  account.id, account.username, account.tier, account.password_hash,
  account.disabled_at is not null as disabled,
  granted.roles, granted.all_permissions, granted.permissions
`

/** Joins the permissions of the roles of `account`; every account also has the role `authenticated`. */
export const joinGranted = `
  cross join lateral (
    select
      array_agg(distinct role.name) as roles,
      bool_or(role.all_permissions) as all_permissions,
      array_agg(distinct permission.name) filter (where permission.name is not null) as permissions
    from identity_roles as role
    left join lateral unnest(role.permissions) as permission (name) on true
    where role.name = 'authenticated'
      or role.name in (select held.role from identity_user_roles as held where held.user_id = account.id)
  ) as granted
`

interface CredentialUsed {
  readonly method: Principal['method']
  /** The id of the session, key or grant. */
  readonly credential: string | null
  /** Null: every permission of the account. */
  readonly scopes: readonly string[] | null
}

/** The principal of a valid credential, and the expiry of the credential. */
export interface ResolvedCredential {
  readonly principal: Principal
  readonly expiresAt: Date | null
}

/** Builds the principal of an account that authenticated with a credential. */
export function principalOf(account: Account, { method, credential, scopes }: CredentialUsed): Principal {
  const permissions = grantedPermissions(account)
  const limitedTo = scopes === null ? undefined : new Set(scopes)
  return {
    id: account.id,
    username: account.username,
    method,
    credential,
    roles: account.roles,
    permissions: limitedTo === undefined ? permissions : narrowPermissions(permissions, limitedTo),
    scopes: limitedTo ?? 'all',
    tier: account.tier,
  }
}

export function grantedPermissions(
  granted: Pick<Account, 'all_permissions' | 'permissions'>,
): ReadonlySet<string> {
  return new Set(granted.all_permissions ? everyPermission : granted.permissions)
}

const byUsernameStatement = `
  select ${accountColumns}
  from identity_users as account
  ${joinGranted}
  where account.username_key = $1
`

/** Finds an account by its username; upper and lower case are equal. */
export async function findAccount(database: Database, username: string): Promise<Account | undefined> {
  const key = usernameKey(username)
  if (!isUsername(key)) return undefined
  const [account] = await database.query<Account>(byUsernameStatement, [key])
  return account
}

/** The tier and the permissions of an account, independent of any request or credential. */
export interface AccountStatus {
  readonly tier: string
  readonly disabled: boolean
  readonly permissions: ReadonlySet<string>
}

const byIdStatement = `
  select ${accountColumns}
  from identity_users as account
  ${joinGranted}
  where account.id = $1
`

export async function readAccountStatus(
  database: Pick<Database, 'query'>,
  accountId: string,
): Promise<AccountStatus | undefined> {
  const [account] = await database.query<Account>(byIdStatement, [accountId])
  if (account === undefined) return undefined
  return { tier: account.tier, disabled: account.disabled, permissions: grantedPermissions(account) }
}

/** The e-mail address of an account, by id or exact username; undefined when it has none, is disabled or does not exist. */
export async function readEmailAddress(
  database: Pick<Database, 'query'>,
  idOrUsername: string,
): Promise<string | undefined> {
  const [account] = isAccountId(idOrUsername)
    ? await database.query<{ email: string }>(`${emailStatement} and id = $1`, [idOrUsername])
    : await database.query<{ email: string }>(`${emailStatement} and username_key = $1 and username = $2`, [
        usernameKey(idOrUsername),
        idOrUsername,
      ])
  return account?.email
}

const emailStatement = 'select email from identity_users where email is not null and disabled_at is null'

export function isAccountId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

/** An account with its tier. */
export interface TieredAccount {
  readonly id: string
  readonly username: string
  readonly tier: string
}

/** The next enabled accounts in the order of their ids. */
export function readTieredAccounts(
  database: Pick<Database, 'query'>,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly TieredAccount[]> {
  return database.query<TieredAccount>(
    `
      select id, username, tier from identity_users
      where disabled_at is null and ($1::uuid is null or id > $1)
      order by id
      limit $2
    `,
    [after ?? null, limit],
  )
}

/** The usernames of accounts that exist, by id. */
export async function readUsernames(
  database: Pick<Database, 'query'>,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(accountIds)]
  if (ids.length === 0) return new Map()
  const rows = await database.query<{ id: string; username: string }>(
    'select id, username from identity_users where id = any($1::uuid[])',
    [ids],
  )
  return new Map(rows.map(({ id, username }) => [id, username]))
}
