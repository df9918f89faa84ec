import type { JWK } from 'jose'
import type { AssociatedData, Encryption } from '#kernel/encryption'
import { Failure } from '#kernel/errors'
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
export interface EncryptedJwks {
  write(kid: string, jwk: JWK): Promise<StoredJwk>
  /** Undefined when it cannot be opened. */
  read(kid: string, stored: StoredJwk): Promise<JWK | undefined>
  /** Whether it should be written again. */
  isOld(stored: StoredJwk): Promise<boolean>
}

export interface EncryptedJwksOptions {
  /** Absent: keys are stored as they are. */
  readonly encryption: Encryption | undefined
  readonly log: Logger | undefined
}

export function createEncryptedJwks({ encryption, log }: EncryptedJwksOptions): EncryptedJwks {
  return {
    async write(kid, jwk) {
      if (encryption?.canEncrypt() !== true) return jwk
      const { d, ...rest } = jwk
      try {
        return { ...rest, sealed: await encryption.encrypt(d ?? '', associatedDataOf(kid)) }
      } catch (error) {
        // Nobody can sign in without a key; without a secret it is as safe as the database.
        if (!isOfEncryption(error)) throw error
        log?.warn({ kid, reason: error.message }, 'a signing key is stored without being sealed')
        return jwk
      }
    },

    async read(kid, { sealed, ...jwk }) {
      if (sealed === undefined) return jwk
      try {
        return encryption && { ...jwk, d: await encryption.open(sealed, associatedDataOf(kid)) }
      } catch (error) {
        if (!isOfEncryption(error)) throw error
        log?.error({ kid, reason: error.message }, 'a signing key cannot be opened, so it signs no more')
        return undefined
      }
    },

    async isOld({ sealed }) {
      if (encryption?.canEncrypt() !== true) return false
      return sealed === undefined || !(await encryption.isCurrent(sealed))
    },
  }
}

function associatedDataOf(kid: string): AssociatedData {
  return { purpose: 'signing-key', place: kid }
}

function isOfEncryption(error: unknown): error is Failure {
  return error instanceof Failure && ['secret_missing', 'secret_wrong', 'sealed_damaged'].includes(error.code)
}
