import type { Database } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Metrics } from '#kernel/telemetry'
import { identityFailure } from '../errors.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { Origin, SecurityEvents } from '../security-events.ts'
import { type Account, findAccount } from '../users/account.ts'
import type { SignInLimits } from './sign-in-limits.ts'

interface PasswordCheck {
  readonly username: string
  readonly password: string
  readonly method: 'session' | 'token' | 'basic' | 'profile'
  readonly origin: Origin
}

/** Returns the account of a correct password; throws `invalid_credentials`, `too_many_requests` or `overloaded`. */
export type CheckPassword = (check: PasswordCheck) => Promise<Account>

export interface CheckPasswordOptions {
  readonly database: Database
  readonly hasher: PasswordHasher
  readonly limits: SignInLimits
  readonly securityEvents: SecurityEvents
  readonly metrics: Metrics
}

/** Checks a username and a password. An unknown username takes the same steps and gets the same error as a wrong password. */
export function createCheckPassword({
  database,
  hasher,
  limits,
  securityEvents,
  metrics,
}: CheckPasswordOptions): CheckPassword {
  const checks = metrics.counter({
    name: 'identity_password_checks_total',
    help: 'Password checks, by method and outcome.',
    labels: ['method', 'outcome'],
  })

  async function check({ username, password, method, origin }: PasswordCheck): Promise<Account> {
    const attempt = await limits.begin({ username, ip: origin.ip })
    let account: Account | undefined
    let right: boolean
    try {
      account = await findAccount(database, username)
      right = await hasher.verify(password, account?.password_hash)
    } catch (error) {
      // No password was compared, so the attempt does not count.
      await attempt.takeBack()
      throw error
    }
    if (account !== undefined && right && !account.disabled) {
      await attempt.takeBack()
      return account
    }
    await securityEvents.append({
      type: 'identity.sign_in_failed',
      subject: account?.id ?? null,
      account: account?.id ?? null,
      origin,
      // An unknown username is not logged: users type passwords into the username field by mistake.
      data: { method, reason: reasonOf(account, right) },
    })
    throw attempt.refusal ?? identityFailure('invalid_credentials')
  }

  return async (given) => {
    const { method } = given
    try {
      const account = await check(given)
      checks.inc({ method, outcome: 'right' })
      return account
    } catch (error) {
      checks.inc({ method, outcome: error instanceof Failure ? error.code : 'internal' })
      throw error
    }
  }
}

function reasonOf(
  account: Account | undefined,
  right: boolean,
): 'unknown_user' | 'account_disabled' | 'wrong_password' {
  if (account === undefined) return 'unknown_user'
  return right ? 'account_disabled' : 'wrong_password'
}
