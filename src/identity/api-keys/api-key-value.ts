import { hash, randomBytes } from 'node:crypto'

const apiKeyPrefix = 'tk_'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 40

/** Generates a key of 40 random letters and digits (238 bits); without punctuation, a double click selects all of it. */
export function generateApiKey(): string {
  let value = ''
  while (value.length < length) {
    for (const byte of randomBytes(length)) {
      // 256 is not a multiple of 62: bytes from 248 on are discarded, or the first characters would be more frequent.
      if (byte < 248 && value.length < length) value += letters.charAt(byte % letters.length)
    }
  }
  return apiKeyPrefix + value
}

/** A key has more than 200 bits of entropy, so a fast hash without salt is safe. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** The same hash as text, a cache key that does not contain the API key. */
export function digestApiKey(key: string): string {
  return hash('sha256', key, 'base64')
}

/** The beginning of a key, shown to tell keys apart. */
export function shownPrefix(key: string): string {
  return key.slice(0, 8)
}
