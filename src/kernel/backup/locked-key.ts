import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { UserError } from '#kernel/errors'
import type { LockedKey } from './manifest.ts'

/** About half a second and 128 MiB for each guess of a passphrase. */
const cost = 2 ** 17
const blockSize = 8

const algorithm = 'aes-256-gcm'
/** Binds the ciphertext to its purpose. */
const associatedData = Buffer.from('tutti-backup-key-v1')

export const minPassphraseLength = 12

/** Encrypts secrets with a passphrase. Throws a `UserError` when it is too short. */
export async function lockKey(secrets: readonly string[], passphrase: string): Promise<LockedKey> {
  if (passphrase.length < minPassphraseLength)
    throw new UserError(`A passphrase needs ${minPassphraseLength} characters or more.`)
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv(algorithm, await deriveKey(passphrase, salt, cost), nonce)
  cipher.setAAD(associatedData)
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()])
  return {
    kdf: 'scrypt',
    cost,
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  }
}

/** Decrypts the secrets, the current one first. Throws a `UserError` when the passphrase is wrong. */
export async function unlockKey(locked: LockedKey, passphrase: string): Promise<readonly string[]> {
  try {
    const key = await deriveKey(passphrase, bytes(locked.salt), locked.cost)
    const decipher = createDecipheriv(algorithm, key, bytes(locked.nonce), { authTagLength: 16 })
    decipher.setAAD(associatedData)
    decipher.setAuthTag(bytes(locked.tag))
    const text = Buffer.concat([decipher.update(bytes(locked.ciphertext)), decipher.final()])
    return JSON.parse(text.toString('utf8')) as string[]
  } catch (cause) {
    throw new UserError('The passphrase is wrong: it does not decrypt the key in the backup.', { cause })
  }
}

function bytes(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

function deriveKey(passphrase: string, salt: Buffer, N: number): Promise<Buffer> {
  const options = { N, r: blockSize, p: 1, maxmem: 256 * N * blockSize }
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}
