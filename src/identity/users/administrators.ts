import { sql, type Transaction } from 'kysely'
import type { NoTables } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'

/**
 * Serialises the transactions that may remove an administrator: two administrators who remove each other at the same
 * time would otherwise each find the other one still there.
 */
export async function lockAdministrators(transaction: Transaction<NoTables>): Promise<void> {
  await sql`
    select name from identity_roles where all_permissions order by name for no key update
  `.execute(transaction)
}

/** Throws `conflict` unless another enabled administrator exists. Call `lockAdministrators` first in the transaction. */
export async function requireAnotherAdministrator(
  transaction: Transaction<NoTables>,
  userId: string,
): Promise<void> {
  const { rows } = await sql`
    select from identity_users as other
    join identity_user_roles as held on held.user_id = other.id
    join identity_roles as role on role.name = held.role and role.all_permissions
    where other.id <> ${userId} and other.disabled_at is null
    limit 1
  `.execute(transaction)
  if (rows.length > 0) return
  throw kernelFailure('conflict', {
    message: 'This is the last administrator who can sign in. Make another account an administrator first.',
  })
}
