import type { Logger } from '#kernel/telemetry'
import type { ApiKeys } from './api-keys/api-keys.ts'
import type { OAuth } from './oauth/oauth.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { IdentitySettings } from './settings.ts'
import type { SignInLimits } from './sign-in/sign-in-limits.ts'
import type { Revocations } from './tokens/revocations.ts'
import type { SigningKeys } from './tokens/signing-keys.ts'
import type { TokenFamilies } from './tokens/token-families.ts'

/** A recurring task that one replica at a time runs. */
export interface CleanUp {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<void>
}

export interface CleanUpOptions {
  readonly log: Logger
  readonly settings: IdentitySettings
  readonly sessions: Sessions
  readonly signInLimits: SignInLimits
  readonly families: TokenFamilies
  readonly revocations: Revocations
  readonly apiKeys: ApiKeys
  readonly oauth: OAuth
  readonly keys: SigningKeys
}

/** Removes expired rows from the tables of identity and rotates the signing key by age. */
export function createCleanUp(options: CleanUpOptions): CleanUp {
  const { log, settings, sessions, signInLimits, families, revocations, apiKeys, oauth, keys } = options
  return {
    name: 'identity.clean-up',
    everyMs: 10 * 60_000,
    async run() {
      const removed = {
        sessions: await sessions.removeExpired(),
        sign_in_limits: await signInLimits.removeExpired(),
        token_families: await families.removeExpired(),
        revocations: await revocations.removeExpired(),
        api_keys: await apiKeys.removeRevoked(),
        oauth_records: await oauth.removeExpired(),
        signing_keys: await keys.removeExpired(),
      }
      await keys.rotateWhenOlderThan(settings.signingKeyDays)
      log.debug(removed, 'removed expired identity records')
    },
  }
}
