import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Client ids are no secrets, but they are random, so that the ids of other clients cannot be enumerated. */
export function generateClientId(): string {
  return `tutti-${randomBytes(12).toString('hex')}`
}

/** 256 random bits, so a fast hash without salt is safe. */
export function generateClientSecret(): string {
  return `tcs_${randomBytes(32).toString('base64url')}`
}

export function hashClientSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Without a hash it takes as long and returns false, so that an unknown client looks like a wrong secret. */
export function isClientSecret(secret: string, hash: Buffer | null): boolean {
  const same = timingSafeEqual(hashClientSecret(secret), hash ?? Buffer.alloc(32))
  return same && hash !== null
}
