import { randomBytes } from 'node:crypto'
import type { Problem } from '#kernel/errors'

/** How a secret begins whose bytes are written in base64, by the Standard Webhooks. */
const bytesPrefix = 'whsec_'
const secretBytes = 32

const printable = /^[\x21-\x7e]{16,256}$/
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const fewestBytes = 16

export function generateSecret(): string {
  return `${bytesPrefix}${randomBytes(secretBytes).toString('base64')}`
}

/** What is wrong with a secret that somebody chose; undefined when nothing is. */
export function describeUnfitSecret(secret: string): Problem | undefined {
  if (!printable.test(secret)) {
    return unfit('must be 16 to 256 printable characters without spaces')
  }
  if (!secret.startsWith(bytesPrefix)) return undefined
  const text = secret.slice(bytesPrefix.length)
  if (base64.test(text) && Buffer.from(text, 'base64').length >= fewestBytes) return undefined
  return unfit(`begins with ${bytesPrefix}, so the rest must be base64 of ${fewestBytes} bytes or more`)
}

/** The key of the Standard Webhooks signature: the bytes behind `whsec_`, else the text itself. */
export function standardKey(secret: string): Buffer {
  return secret.startsWith(bytesPrefix)
    ? Buffer.from(secret.slice(bytesPrefix.length), 'base64')
    : Buffer.from(secret)
}

function unfit(message: string): Problem {
  return { path: 'secret', message, code: 'secret' }
}
