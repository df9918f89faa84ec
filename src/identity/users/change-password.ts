import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import { Failure, kernelFailure } from '#kernel/errors'
import { invalidField } from '../errors.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { Origin, SecurityEvents } from '../security-events.ts'
import type { SignIns } from '../sessions/sign-ins.ts'
import type { CheckPassword } from '../sign-in/check-password.ts'
import type { Account } from './account.ts'
import { requireFitPassword } from './user-rules.ts'

interface PasswordChange {
  readonly userId: string
  readonly username: string
  readonly currentPassword: string
  readonly newPassword: string
  /** The session or sign-in of the request, which stays valid. */
  readonly current: string | null
  readonly origin: Origin
}

export type ChangePassword = (change: PasswordChange) => Promise<void>

export interface ChangePasswordOptions {
  readonly database: Database
  readonly hasher: PasswordHasher
  readonly checkPassword: CheckPassword
  readonly signIns: SignIns
  readonly securityEvents: SecurityEvents
  /** Called after a commit that revokes access, to clear the caches of this process. */
  readonly changed: () => void
}

/** Changes the password of the caller's own account, and ends all its sign-ins except the current one. */
export function createChangePassword(options: ChangePasswordOptions): ChangePassword {
  const { database, hasher, checkPassword, signIns, securityEvents, changed } = options

  /** The check counts against the sign-in limits, so that a stolen session cannot be used to guess the password. */
  async function checkCurrent({ username, currentPassword, origin }: PasswordChange): Promise<Account> {
    try {
      return await checkPassword({ username, password: currentPassword, method: 'profile', origin })
    } catch (error) {
      // The credential of the request is valid: a 401 would send a signed-in user to the sign-in page.
      const wrong = error instanceof Failure && error.code === 'invalid_credentials'
      throw wrong ? invalidField('current_password', 'is not your password', 'wrong_password') : error
    }
  }

  return async (change) => {
    const { userId, currentPassword, newPassword, current, origin } = change
    requireFitPassword(newPassword, 'new_password')
    if (newPassword === currentPassword) {
      throw invalidField('new_password', 'must differ from the current one', 'same_password')
    }
    const account = await checkCurrent(change)
    const passwordHash = await hasher.hash(newPassword)
    const { committed } = await database.transaction(async (transaction) => {
      const { rows } = await sql`
        update identity_users set password_hash = ${passwordHash}
        where id = ${userId} and password_hash = ${account.password_hash} and disabled_at is null
        returning id
      `.execute(transaction)
      if (rows.length === 0) {
        throw kernelFailure('conflict', {
          message: 'The password was changed by another request in the meantime.',
        })
      }
      const ended = await signIns.endOthersWithin(transaction, { userId, current })
      await securityEvents.appendWithin(transaction, {
        type: 'identity.password_changed',
        subject: userId,
        account: userId,
        by: userId,
        origin,
      })
      return ended
    })
    committed()
    changed()
  }
}
