import { hash, randomBytes } from 'node:crypto'

const apiKeyPrefix = 'tk_'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 40

/** A new key: 40 letters and digits by chance, which nobody can guess and a double click selects whole. */
export function generateApiKey(): string {
  let value = ''
  while (value.length < length) {
    for (const byte of randomBytes(length)) {
      // 62 letters do not divide 256: the bytes that would favour the first ones are thrown away.
      if (byte < 248 && value.length < length) value += letters.charAt(byte % letters.length)
    }
  }
  return apiKeyPrefix + value
}

/** A key has more than 200 bits of chance, so a plain hash keeps it safe. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** The same as text, to remember a key by without holding it. */
export function digestApiKey(key: string): string {
  return hash('sha256', key, 'base64')
}

/** What a person may see of a key to tell it from others. */
export function shownPrefix(key: string): string {
  return key.slice(0, 8)
}
