import type { AssociatedData, Encryption } from '#kernel/encryption'

/** An answer as it is stored. */
export interface StoredBody {
  readonly body: Buffer
  readonly sealed: boolean
}

/** Closes answers before they are stored, because some show a secret. */
export interface ResponseEncryption {
  close(id: Buffer, body: Buffer): Promise<StoredBody>
  open(id: Buffer, stored: StoredBody): Promise<Buffer>
}

/** Where there is nothing to seal with, no secret is stored anywhere, so answers cannot show one either. */
export function createResponseEncryption(
  encryption: Pick<Encryption, 'canEncrypt' | 'encrypt' | 'open'> | undefined,
): ResponseEncryption {
  return {
    async close(id, body) {
      if (encryption?.canEncrypt() !== true) return { body, sealed: false }
      return {
        body: Buffer.from(await encryption.encrypt(body.toString(), associatedDataOf(id))),
        sealed: true,
      }
    },
    async open(id, { body, sealed }) {
      if (!sealed) return body
      if (encryption === undefined) throw new Error('a sealed answer needs what it was sealed with')
      return Buffer.from(await encryption.open(body.toString(), associatedDataOf(id)))
    },
  }
}

/** Its place is the row it stands in: an answer cannot be moved to another key. */
function associatedDataOf(id: Buffer): AssociatedData {
  return { purpose: 'idempotency-answer', place: id.toString('hex') }
}
