import { sql } from 'kysely'
import { kernelFailure } from '#kernel/errors'
import type { AskedBy } from '../asked-by.ts'
import { lockAdministrators, requireAnotherAdministrator } from './administrators.ts'
import type { ChangeUserOptions } from './change-user.ts'
import { lockUser } from './lock-user.ts'

/** Deletes an account with its sessions, keys and clients. Answers whether there was one. */
export function createRemoveUser({
  database,
  endSignIns,
  securityEvents,
  changed,
}: Omit<ChangeUserOptions, 'hasher'>): (id: string, asked: AskedBy) => Promise<boolean> {
  return async (id, asked) => {
    if (id === asked.by) throw kernelFailure('conflict', { message: 'You cannot delete your own account.' })
    const ended = await database.transaction(async (transaction) => {
      await lockAdministrators(transaction)
      const user = await lockUser(transaction, id)
      if (user === undefined) return undefined
      if (user.all_permissions && !user.disabled) await requireAnotherAdministrator(transaction, id)
      const done = await endSignIns.allWithin(transaction, { userId: id, consents: true })
      await sql`delete from identity_users where id = ${id}`.execute(transaction)
      await securityEvents.appendWithin(transaction, {
        type: 'identity.account_deleted',
        subject: id,
        account: id,
        ...asked,
        data: { username: user.username },
      })
      return done
    })
    ended?.()
    changed()
    return ended !== undefined
  }
}
