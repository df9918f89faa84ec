import { randomBytes } from 'node:crypto'
import type { Problem } from '#kernel/errors'

/** The prefix of base64 secrets in the Standard Webhooks specification. */
const bytesPrefix = 'whsec_'
const secretBytes = 32

const printable = /^[\x21-\x7e]{16,256}$/
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const minBytes = 16

export function generateSecret(): string {
  return `${bytesPrefix}${randomBytes(secretBytes).toString('base64')}`
}

/** The problem of a secret that a user chose; undefined when it is valid. */
export function describeInvalidSecret(secret: string): Problem | undefined {
  if (!printable.test(secret)) {
    return invalidSecret('must be 16 to 256 printable characters without spaces')
  }
  if (!secret.startsWith(bytesPrefix)) return undefined
  const text = secret.slice(bytesPrefix.length)
  if (base64.test(text) && Buffer.from(text, 'base64').length >= minBytes) return undefined
  return invalidSecret(`begins with ${bytesPrefix}, so the rest must be base64 of ${minBytes} bytes or more`)
}

/** The key of the Standard Webhooks signature: the bytes after `whsec_`, otherwise the text itself. */
export function standardKey(secret: string): Buffer {
  return secret.startsWith(bytesPrefix)
    ? Buffer.from(secret.slice(bytesPrefix.length), 'base64')
    : Buffer.from(secret)
}

function invalidSecret(message: string): Problem {
  return { path: 'secret', message, code: 'secret' }
}
