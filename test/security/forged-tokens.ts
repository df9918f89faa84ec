import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, SignJWT } from 'jose'
import type { IdentityServer } from '../http/identity-server.ts'

export interface Forgery {
  readonly header?: Readonly<Record<string, unknown>>
  /** Undefined takes a claim away. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** Signs what an attacker wants with the platform's own key, on the model of a token that works. */
export async function signLike(
  server: IdentityServer,
  token: string,
  { header = {}, claims = {} }: Forgery,
): Promise<string> {
  const [key] = await server.database.query<{ private_jwk: JWK }>(
    'select private_jwk from identity_signing_keys where kid = $1',
    [decodeProtectedHeader(token).kid],
  )
  if (key === undefined) throw new Error('the key of the token is gone')
  return await signWith(await importJWK(key.private_jwk, 'ES256'), token, { header, claims })
}

/** The same with a key of the attacker's own. */
export async function signWith(
  key: Parameters<SignJWT['sign']>[0],
  token: string,
  { header = {}, claims = {} }: Forgery = {},
): Promise<string> {
  const said = Object.entries({ ...decodeJwt(token), jti: randomUUID(), ...claims })
  return await new SignJWT(Object.fromEntries(said.filter(([, value]) => value !== undefined)))
    .setProtectedHeader({ ...decodeProtectedHeader(token), alg: 'ES256', ...header })
    .sign(key)
}

/** A part of a token, written as it stands in one. */
export function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
