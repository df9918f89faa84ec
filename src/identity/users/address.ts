import type { Database } from '#kernel/database'

/** Where the person of an account gets mail; undefined when nobody knows, or the account is gone or disabled. */
export async function readAddress(
  database: Pick<Database, 'query'>,
  accountId: string,
): Promise<string | undefined> {
  const [account] = await database.query<{ email: string }>(
    'select email from identity_users where id = $1 and email is not null and disabled_at is null',
    [accountId],
  )
  return account?.email
}
