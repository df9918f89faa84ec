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
  /** What the request came with, which stays signed in. */
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
  /** Told after a commit that takes something away. */
  readonly changed: () => void
}

/** Gives an account another password, for its owner: who knows the old one, and stays signed in here alone. */
export function createChangePassword(options: ChangePasswordOptions): ChangePassword {
  const { database, hasher, checkPassword, signIns, securityEvents, changed } = options

  /** A session that somebody left open is no way around the limits of signing in. */
  async function checkCurrent({ username, currentPassword, origin }: PasswordChange): Promise<Account> {
    try {
      return await checkPassword({ username, password: currentPassword, method: 'profile', origin })
    } catch (error) {
      // The credential of the request holds: 401 would send a signed-in person to sign in.
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
        throw kernelFailure('conflict', { message: 'The password was changed by somebody else meanwhile.' })
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
