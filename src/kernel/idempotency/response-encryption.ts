import type { AssociatedData, Encryption } from '#kernel/encryption'

/** The body of a stored response. */
export interface StoredBody {
  readonly body: Buffer
  readonly sealed: boolean
}

/** Encrypts responses before they are stored, because some contain a secret. */
export interface ResponseEncryption {
  encrypt(id: Buffer, body: Buffer): Promise<StoredBody>
  decrypt(id: Buffer, stored: StoredBody): Promise<Buffer>
}

/** Without a secret to encrypt with, no secrets are stored, so responses contain none either. */
export function createResponseEncryption(
  encryption: Pick<Encryption, 'canEncrypt' | 'encrypt' | 'decrypt'> | undefined,
): ResponseEncryption {
  return {
    async encrypt(id, body) {
      if (encryption?.canEncrypt() !== true) return { body, sealed: false }
      return {
        body: Buffer.from(await encryption.encrypt(body.toString(), associatedDataOf(id))),
        sealed: true,
      }
    },
    async decrypt(id, { body, sealed }) {
      if (!sealed) return body
      if (encryption === undefined)
        throw new Error('an encrypted response cannot be read without `encryption`')
      return Buffer.from(await encryption.decrypt(body.toString(), associatedDataOf(id)))
    },
  }
}

/** Binds a response to its row, so that it cannot be moved to another key. */
function associatedDataOf(id: Buffer): AssociatedData {
  return { purpose: 'idempotency-answer', place: id.toString('hex') }
}
