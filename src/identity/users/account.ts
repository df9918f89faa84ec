import type { Principal } from '#kernel/http'
import { permissions as everyPermission } from '../permissions.ts'
import { narrowPermissions } from '../scopes.ts'

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
