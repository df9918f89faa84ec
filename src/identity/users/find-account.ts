import type { Database } from '#kernel/database'
import { type Account, accountColumns, joinGranted } from './account.ts'
import { isUsername, usernameKey } from './username.ts'

const statement = `
  select ${accountColumns}
  from identity_users as account
  ${joinGranted}
  where account.username_key = $1
`

/** Finds the account of a username, in whatever case it was typed. */
export async function findAccount(database: Database, username: string): Promise<Account | undefined> {
  const key = usernameKey(username)
  if (!isUsername(key)) return undefined
  const [account] = await database.query<Account>(statement, [key])
  return account
}
