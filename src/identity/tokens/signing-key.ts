import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { StoredJwk } from './encrypted-jwks.ts'

export const signingAlgorithm = 'ES256'

/** A key that verifies tokens. */
export interface VerifyingKey {
  readonly kid: string
  readonly publicKey: CryptoKey
  /** The key as published in the key set. */
  readonly publicJwk: JWK
  readonly signsFrom: Date
}

/** A key that verifies and signs tokens. */
export interface SigningKey extends VerifyingKey {
  readonly privateKey: CryptoKey
  /** For the OAuth provider library, which signs its own tokens. */
  readonly privateJwk: JWK
}

export type KnownKey = VerifyingKey | SigningKey

export async function generateKey(): Promise<{ readonly kid: string; readonly privateJwk: JWK }> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { kid: await calculateJwkThumbprint(jwk), privateJwk: jwk }
}

interface FoundKey {
  readonly kid: string
  readonly stored: StoredJwk
  /** Undefined when the private part cannot be decrypted. */
  readonly jwk: JWK | undefined
  readonly signsFrom: Date
}

export async function importKey({ kid, stored, jwk, signsFrom }: FoundKey): Promise<KnownKey> {
  const { kty, crv, x, y } = stored as { kty: string; crv: string; x: string; y: string }
  const described = { kid, alg: signingAlgorithm, use: 'sig' }
  const publicJwk = { kty, crv, x, y, ...described }
  const publicKey = (await importJWK(publicJwk, signingAlgorithm)) as CryptoKey
  const verifying: VerifyingKey = { kid, publicJwk, publicKey, signsFrom }
  if (jwk === undefined) return verifying
  const privateKey = (await importJWK(jwk, signingAlgorithm)) as CryptoKey
  return { ...verifying, privateJwk: { ...jwk, ...described }, privateKey }
}

export function canSign(key: KnownKey): key is SigningKey {
  return 'privateKey' in key
}
