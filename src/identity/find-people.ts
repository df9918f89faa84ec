import type { Database } from '#kernel/database'
import { isAccountId } from './users/account.ts'
import { usernameKey } from './users/user-rules.ts'

/** Accounts, by id or username, and roles. */
interface People {
  readonly accounts: readonly string[]
  readonly roles: readonly string[]
}

const accountsStatement = `
  select id, username from identity_users
  where disabled_at is null and (id = any($1::uuid[]) or username_key = any($2::text[]))
`

/** Returns those of the names that exist: enabled accounts, written exactly as their id or username, and roles that accounts can have. */
export async function findPeople(
  database: Pick<Database, 'query'>,
  { accounts, roles }: People,
): Promise<People> {
  const [users, known] = await Promise.all([
    accounts.length === 0
      ? []
      : database.query<{ id: string; username: string }>(accountsStatement, [
          accounts.filter(isAccountId),
          accounts.map(usernameKey),
        ]),
    roles.length === 0
      ? []
      : database.query<{ name: string }>(
          `select name from identity_roles where name = any($1::text[]) and name <> 'anonymous'`,
          [roles],
        ),
  ])
  const names = new Set(users.flatMap(({ id, username }) => [id, username]))
  const roleNames = new Set(known.map(({ name }) => name))
  return {
    accounts: accounts.filter((name) => names.has(name)),
    roles: roles.filter((name) => roleNames.has(name)),
  }
}
