import type { JWK } from 'jose'
import { Failure } from '#kernel/errors'
import type { Sealing, Seat } from '#kernel/sealing'
import type { Logger } from '#kernel/telemetry'

/** A private key as the table has it: whole, or with `sealed` in place of what is private about it. */
export type StoredJwk = JWK & { readonly sealed?: string }

/**
 * Keeps the private part of signing keys from whoever can read the table.
 *
 * | the installation has | a new key is | one that is there                                                     |
 * |----------------------|--------------|-----------------------------------------------------------------------|
 * | a secret             | sealed       | is opened; sealed when it is not, or not with the secret of now       |
 * | none                 | as it is     | is used as it is                                                      |
 * | another secret       | sealed       | cannot be opened: it verifies what it signed, and signs no more       |
 */
export interface SealedJwks {
  write(kid: string, jwk: JWK): Promise<StoredJwk>
  /** Undefined when it cannot be opened. */
  read(kid: string, stored: StoredJwk): Promise<JWK | undefined>
  /** Whether it should be written again. */
  isOld(stored: StoredJwk): Promise<boolean>
}

export interface SealedJwksOptions {
  /** Absent: keys are stored as they are. */
  readonly sealing: Sealing | undefined
  readonly log: Logger | undefined
}

export function createSealedJwks({ sealing, log }: SealedJwksOptions): SealedJwks {
  return {
    async write(kid, jwk) {
      if (sealing?.canSeal() !== true) return jwk
      const { d, ...rest } = jwk
      try {
        return { ...rest, sealed: await sealing.seal(d ?? '', seatOf(kid)) }
      } catch (error) {
        // Nobody can sign in without a key; without a secret it is as safe as the database.
        if (!isOfSealing(error)) throw error
        log?.warn({ kid, reason: error.message }, 'a signing key is stored without being sealed')
        return jwk
      }
    },

    async read(kid, { sealed, ...jwk }) {
      if (sealed === undefined) return jwk
      try {
        return sealing && { ...jwk, d: await sealing.open(sealed, seatOf(kid)) }
      } catch (error) {
        if (!isOfSealing(error)) throw error
        log?.error({ kid, reason: error.message }, 'a signing key cannot be opened, so it signs no more')
        return undefined
      }
    },

    async isOld({ sealed }) {
      if (sealing?.canSeal() !== true) return false
      return sealed === undefined || !(await sealing.isCurrent(sealed))
    },
  }
}

function seatOf(kid: string): Seat {
  return { purpose: 'signing-key', place: kid }
}

function isOfSealing(error: unknown): error is Failure {
  return error instanceof Failure && ['secret_missing', 'secret_wrong', 'sealed_damaged'].includes(error.code)
}
