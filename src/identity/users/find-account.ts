import type { Database } from '#kernel/database'
import { type Account, accountColumns, grantedPermissions, joinGranted } from './account.ts'
import { isUsername, usernameKey } from './username.ts'

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

/** The e-mail address of an account; undefined when it has none, is disabled or does not exist. */
export async function readEmailAddress(
  database: Pick<Database, 'query'>,
  accountId: string,
): Promise<string | undefined> {
  const [account] = await database.query<{ email: string }>(
    'select email from identity_users where id = $1 and email is not null and disabled_at is null',
    [accountId],
  )
  return account?.email
}
