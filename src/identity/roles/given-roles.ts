import { sql, type Transaction } from 'kysely'
import type { NoTables } from '#kernel/database'
import { invalidField } from '../errors.ts'

interface GivenRoles {
  readonly names: readonly string[]
  /** Whether one of them allows everything. */
  readonly administrator: boolean
}

/** Checks the roles an account is to have, and keeps them from being deleted until the commit. */
export async function lockGivenRoles(
  transaction: Transaction<NoTables>,
  given: readonly string[],
): Promise<GivenRoles> {
  // Whoever sends back the roles that were read sends this one, too; every account has it, and no row says so.
  const names = [...new Set(given)].filter((name) => name !== 'authenticated')
  const { rows } = await sql<{ name: string; all_permissions: boolean }>`
    select name, all_permissions from identity_roles
    where name = any(${names}::text[]) and name <> 'anonymous'
    order by name
    for key share
  `.execute(transaction)
  const known = new Set(rows.map(({ name }) => name))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) {
    const path = `roles[${given.indexOf(unknown)}]`
    throw unknown === 'anonymous'
      ? invalidField(path, 'cannot be "anonymous", which is for those without an account', 'choice')
      : invalidField(path, `names a role that does not exist: "${unknown}"`, 'choice')
  }
  return { names, administrator: rows.some((role) => role.all_permissions) }
}

/** Gives the account these roles and no others. */
export async function storeRoles(
  transaction: Transaction<NoTables>,
  id: string,
  names: readonly string[],
): Promise<void> {
  await sql`
    delete from identity_user_roles where user_id = ${id} and role <> all(${names}::text[])
  `.execute(transaction)
  await sql`
    insert into identity_user_roles (user_id, role)
    select ${id}, role from unnest(${names}::text[]) as role
    on conflict do nothing
  `.execute(transaction)
}
