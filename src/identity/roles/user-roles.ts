import { sql, type Transaction } from 'kysely'
import type { NoTables } from '#kernel/database'
import { invalidField } from '../errors.ts'

interface AssignedRoles {
  readonly names: readonly string[]
  /** Whether one of the roles has every permission. */
  readonly administrator: boolean
}

/** Checks the roles to assign to an account and locks them against deletion until the commit. Throws `invalid_input`. */
export async function lockAssignedRoles(
  transaction: Transaction<NoTables>,
  given: readonly string[],
): Promise<AssignedRoles> {
  // A client that sends back the roles it read includes `authenticated`, which every account has without a row.
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
      ? invalidField(path, 'cannot be "anonymous", the role of callers without an account', 'choice')
      : invalidField(path, `names a role that does not exist: "${unknown}"`, 'choice')
  }
  return { names, administrator: rows.some((role) => role.all_permissions) }
}

/** Replaces the roles of an account. */
export async function replaceUserRoles(
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
