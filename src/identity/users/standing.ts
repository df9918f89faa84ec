import type { Database } from '#kernel/database'
import { type Account, accountColumns, grantedPermissions, joinGranted } from './account.ts'

/** What an account may do and use, whoever asks. */
export interface AccountStanding {
  readonly tier: string
  readonly disabled: boolean
  readonly permissions: ReadonlySet<string>
}

const statement = `
  select ${accountColumns}
  from identity_users as account
  ${joinGranted}
  where account.id = $1
`

export async function readStanding(
  database: Pick<Database, 'query'>,
  accountId: string,
): Promise<AccountStanding | undefined> {
  const [account] = await database.query<Account>(statement, [accountId])
  if (account === undefined) return undefined
  return { tier: account.tier, disabled: account.disabled, permissions: grantedPermissions(account) }
}
