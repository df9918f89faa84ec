import type { JWK } from 'jose'
import type { AssociatedData, Encryption } from '#kernel/encryption'
import { Failure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'

/** A private key as stored: in plain text, or with the encrypted private part in `sealed`. */
export type StoredJwk = JWK & { readonly sealed?: string }

/**
 * Encrypts the private part of signing keys, so that reading the table does not reveal it.
 *
 * | secret of the installation | a new key  | a stored key                                                                |
 * |----------------------------|------------|-----------------------------------------------------------------------------|
 * | set                        | encrypted  | decrypted; encrypted again when it is plain text or uses an older secret    |
 * | none                       | plain text | used as stored                                                              |
 * | replaced by another        | encrypted  | cannot be decrypted: it verifies issued tokens and signs no new ones        |
 */
interface EncryptedJwks {
  write(kid: string, jwk: JWK): Promise<StoredJwk>
  /** Undefined when the key cannot be decrypted. */
  read(kid: string, stored: StoredJwk): Promise<JWK | undefined>
  /** Whether the key should be encrypted again with the current secret. */
  needsRewrite(stored: StoredJwk): Promise<boolean>
}

interface EncryptedJwksOptions {
  /** Absent: keys are stored in plain text. */
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
        // No sign-in works without a signing key, so it is stored in plain text: as safe as the database.
        if (!isEncryptionFailure(error)) throw error
        log?.warn({ kid, reason: error.message }, 'could not encrypt a signing key, storing it in plain text')
        return jwk
      }
    },

    async read(kid, { sealed, ...jwk }) {
      if (sealed === undefined) return jwk
      try {
        return encryption && { ...jwk, d: await encryption.decrypt(sealed, associatedDataOf(kid)) }
      } catch (error) {
        if (!isEncryptionFailure(error)) throw error
        log?.error(
          { kid, reason: error.message },
          'could not decrypt a signing key, it is used for verification only',
        )
        return undefined
      }
    },

    async needsRewrite({ sealed }) {
      if (encryption?.canEncrypt() !== true) return false
      return sealed === undefined || !(await encryption.isCurrent(sealed))
    },
  }
}

function associatedDataOf(kid: string): AssociatedData {
  return { purpose: 'signing-key', place: kid }
}

function isEncryptionFailure(error: unknown): error is Failure {
  return error instanceof Failure && ['secret_missing', 'secret_wrong', 'sealed_damaged'].includes(error.code)
}
