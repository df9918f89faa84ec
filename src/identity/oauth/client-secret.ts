import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A name for a client: it is no secret, but nobody should find others by counting. */
export function makeClientId(): string {
  return `tutti-${randomBytes(12).toString('hex')}`
}

/** 256 bits of chance, so a plain hash keeps it safe. */
export function makeClientSecret(): string {
  return `tcs_${randomBytes(32).toString('base64url')}`
}

export function hashClientSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Compared against nothing, it takes as long: an unknown client cannot be told from a wrong secret. */
export function isClientSecret(secret: string, hash: Buffer | null): boolean {
  const same = timingSafeEqual(hashClientSecret(secret), hash ?? Buffer.alloc(32))
  return same && hash !== null
}
