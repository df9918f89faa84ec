import { CompiledQuery, sql, type Transaction } from 'kysely'
import type { NoTables } from '#kernel/database'
import { findUserStatement, type UserRow } from './user.ts'

type LockedUser = UserRow & { readonly disabled: boolean }

/** Reads the account once nobody else can change it, with the roles that are its own. */
export async function lockUser(
  transaction: Transaction<NoTables>,
  id: string,
): Promise<LockedUser | undefined> {
  await sql`select from identity_users where id = ${id} for no key update`.execute(transaction)
  const { rows } = await transaction.executeQuery<UserRow>(CompiledQuery.raw(findUserStatement, [id]))
  const [row] = rows
  if (row === undefined) return undefined
  const roles = row.roles.filter((name) => name !== 'authenticated')
  return { ...row, roles, disabled: row.disabled_at !== null }
}
