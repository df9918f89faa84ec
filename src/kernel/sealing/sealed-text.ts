import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { sealingFailure } from './errors.ts'

/**
 * A sealed text says how it was made: `v1.<secret>.<nonce, ciphertext and tag>`. The middle part names the secret it was made
 * with, without telling anything about it, so that after a change of the secret it is known which of them opens it.
 */
const version = 'v1'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** What a sealed text is for, and where it stands. Moved elsewhere, it no longer opens. */
export interface Seat {
  /** Such as `provider-key`: each has a key of its own. */
  readonly purpose: string
  /** Such as the name of the row. */
  readonly place: string
}

/** One secret, ready for use. */
export interface SealingKey {
  readonly id: string
  seal(text: string, seat: Seat): string
  /** Throws `sealed_damaged` when it is not a text that this secret sealed for this seat. */
  open(sealed: string, seat: Seat): string
}

export function createSealingKey(secret: string): SealingKey {
  const derive = (label: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, 'tutti sealing', label, bytes))
  const id = derive(`${version} id`, 6).toString('base64url')
  const keys = new Map<string, Buffer>()

  function keyOf(purpose: string): Buffer {
    const key = keys.get(purpose) ?? derive(`${version} purpose ${purpose}`, 32)
    keys.set(purpose, key)
    return key
  }

  return {
    id,
    seal(text, { purpose, place }) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, keyOf(purpose), nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(place))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const body = Buffer.concat([nonce, ciphertext, cipher.getAuthTag()])
      return [version, id, body.toString('base64url')].join('.')
    },
    open(sealed, { purpose, place }) {
      const body = Buffer.from(readParts(sealed).body, 'base64url')
      if (body.length < nonceBytes + tagBytes) throw sealingFailure('sealed_damaged')
      const decipher = createDecipheriv(algorithm, keyOf(purpose), body.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(body.subarray(-tagBytes))
      try {
        const text = decipher.update(body.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch (cause) {
        throw sealingFailure('sealed_damaged', { cause })
      }
    },
  }
}

/** Which secret a text was sealed with, and what it hides. Throws `sealed_damaged` for anything else. */
export function readParts(sealed: string): { readonly keyId: string; readonly body: string } {
  const [, keyId, body] = /^v1\.([\w-]+)\.([\w-]+)$/.exec(sealed) ?? []
  if (keyId === undefined || body === undefined) throw sealingFailure('sealed_damaged')
  return { keyId, body }
}
