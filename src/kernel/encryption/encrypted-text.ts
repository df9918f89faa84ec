import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { encryptionFailure } from './errors.ts'

/**
 * Format of an encrypted text: `v1.<key id>.<nonce, ciphertext and tag>`. The key id is derived from the secret and reveals nothing about
 * it; after a change of the secret it selects the key to decrypt with.
 */
const version = 'v1'

/** Part of the derivation of every key: must never change. */
const hkdfSalt = 'tutti sealing'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Binds an encrypted text to its purpose and its row. Moved elsewhere, it cannot be decrypted. */
export interface AssociatedData {
  /** Such as `provider-key`: each purpose has a key of its own. */
  readonly purpose: string
  /** Such as the id of the row. */
  readonly place: string
}

/** The keys derived from one secret. */
export interface EncryptionKey {
  readonly id: string
  encrypt(text: string, associatedData: AssociatedData): string
  /** Throws `sealed_damaged` when the text was not encrypted with this secret and associated data. */
  decrypt(encrypted: string, associatedData: AssociatedData): string
}

export function createEncryptionKey(secret: string): EncryptionKey {
  const derive = (label: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, hkdfSalt, label, bytes))
  const id = derive(`${version} id`, 6).toString('base64url')
  const keys = new Map<string, Buffer>()

  function keyOf(purpose: string): Buffer {
    const key = keys.get(purpose) ?? derive(`${version} purpose ${purpose}`, 32)
    keys.set(purpose, key)
    return key
  }

  return {
    id,
    encrypt(text, { purpose, place }) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, keyOf(purpose), nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(place))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const body = Buffer.concat([nonce, ciphertext, cipher.getAuthTag()])
      return [version, id, body.toString('base64url')].join('.')
    },
    decrypt(encrypted, { purpose, place }) {
      const body = Buffer.from(readParts(encrypted).body, 'base64url')
      if (body.length < nonceBytes + tagBytes) throw encryptionFailure('sealed_damaged')
      const decipher = createDecipheriv(algorithm, keyOf(purpose), body.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(body.subarray(-tagBytes))
      try {
        const text = decipher.update(body.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch (cause) {
        throw encryptionFailure('sealed_damaged', { cause })
      }
    },
  }
}

/** The key id and the encrypted body of a text. Throws `sealed_damaged` for any other format. */
export function readParts(encrypted: string): { readonly keyId: string; readonly body: string } {
  const [, keyId, body] = /^v1\.([\w-]+)\.([\w-]+)$/.exec(encrypted) ?? []
  if (keyId === undefined || body === undefined) throw encryptionFailure('sealed_damaged')
  return { keyId, body }
}
