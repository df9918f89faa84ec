import { randomUUID } from 'node:crypto'
import {
  base64url,
  type CryptoKey,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bearer, call, login } from '../http/identity-calls.ts'
import {
  addAccount,
  type IdentityServer,
  startIdentityServer,
  startIdentityServerOn,
} from '../http/identity-server.ts'
import { type Forgery, part, signLike, signWith } from './forged-tokens.ts'
import { untilCalm } from './until-calm.ts'

const ida = { username: 'ida', password: 'symphony in c', roles: ['administrator'] }

let server: IdentityServer
let replica: IdentityServer
let token: string

beforeAll(async () => {
  server = await startIdentityServer()
  replica = await startIdentityServerOn(server.database)
  await untilCalm(server, replica)
  await addAccount(server.database, ida)
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  token = (await login(server, ida)).token
})

const statusAt = async (at: IdentityServer, credential: string) =>
  (await call(at, 'GET /api/v1/user/profile', { as: bearer(credential) })).status

async function expectRefused(forged: string, why: string, code = 'invalid_token'): Promise<void> {
  const answer = await call(server, 'GET /api/v1/user/profile', { as: bearer(forged) })
  expect([answer.status, answer.body.error.code], why).toEqual([401, code])
  expect(answer.headers.get('www-authenticate'), why).toContain('error="invalid_token"')
}

async function publishedKey(): Promise<JWK> {
  const { body } = await call<{ keys: JWK[] }>(server, 'GET /.well-known/jwks.json')
  const { kid } = decodeProtectedHeader(token)
  const key = body.keys.find((candidate) => candidate.kid === kid)
  if (key === undefined) throw new Error('the key is not published')
  return key
}

test('A token is of an account that does not exist', async () => {
  // One of the same make with nothing wrong works, so it is the wrong thing that the others are refused for.
  expect(await statusAt(server, await signLike(server, token, {}))).toBe(200)
  for (const sub of [randomUUID(), ida.username, `' or 1=1 --`, '']) {
    await expectRefused(await signLike(server, token, { claims: { sub } }), sub)
  }
})

test('A token has the algorithm none', async () => {
  const [, claims = '', signature = ''] = token.split('.')
  const header = decodeProtectedHeader(token)
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null]) {
    for (const end of ['', signature]) {
      await expectRefused(`${part({ ...header, alg })}.${claims}.${end}`, String(alg))
    }
  }
  const { alg: _, ...rest } = header
  await expectRefused(`${part(rest)}.${claims}.${signature}`, 'no alg')
})

test('A token is signed with the public key as if it were a shared secret', async () => {
  const jwk = await publishedKey()
  const spki = await exportSPKI((await importJWK(jwk, 'ES256')) as CryptoKey)
  const secrets = [spki, spki.trim(), JSON.stringify(jwk), String(jwk.x), String(jwk.kid), 'secret'].map(
    (text) => new TextEncoder().encode(text.padEnd(64, ' ')),
  )
  for (const secret of [...secrets, new TextEncoder().encode(spki), base64url.decode(String(jwk.x))]) {
    for (const alg of ['HS256', 'HS512']) {
      const padded = secret.length >= 64 ? secret : Buffer.concat([secret, Buffer.alloc(64 - secret.length)])
      await expectRefused(await signWith(padded, token, { header: { alg } }), alg)
    }
  }
})

test('A token contains its own key, or a URL to fetch one', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }
  for (const header of [
    { jwk },
    { jwk, kid: undefined },
    { jku: `${server.url}/.well-known/jwks.json` },
    { jku: 'https://evil.example/jwks.json', kid: 'evil' },
    { x5u: 'https://evil.example/cert.pem' },
    { x5c: [Buffer.from('certificate').toString('base64')] },
    { kid: 'evil', jwk: { ...jwk, kid: 'evil' } },
  ]) {
    await expectRefused(await signWith(privateKey, token, { header }), JSON.stringify(header))
  }
})

test('A token has a key id that is a path, a query, a URL or a list', async () => {
  const { privateKey } = await generateKeyPair('ES256')
  const kid = String(decodeProtectedHeader(token).kid)
  for (const name of [
    '../../../../dev/null',
    '/proc/self/environ',
    `' or '1'='1`,
    `${kid}' --`,
    `x' union select '{"kty":"oct"}'::jsonb --`,
    'https://evil.example/key',
    '__proto__',
    'constructor',
    '\u0000',
    '',
    'x'.repeat(4000),
    [kid],
    { kid },
    0,
    null,
  ]) {
    await expectRefused(await signWith(privateKey, token, { header: { kid: name } }), JSON.stringify(name))
  }
})

test('A token of another installation has the key id of ours', async () => {
  const { privateKey } = await generateKeyPair('ES256')
  await expectRefused(await signWith(privateKey, token), 'another key')
  await using elsewhere = await startIdentityServer()
  await untilCalm(elsewhere)
  await addAccount(elsewhere.database, ida)
  const foreign = (await login(elsewhere, ida)).token
  await expectRefused(foreign, 'of another installation')
  const kid = String(decodeProtectedHeader(token).kid)
  await expectRefused(await signLike(elsewhere, foreign, { header: { kid } }), 'with our kid')
})

test('A token is for another audience, or for none', async () => {
  for (const aud of ['elsewhere', 'TUTTI', 'tutti ', '', ['elsewhere'], [], {}, 1, undefined]) {
    await expectRefused(await signLike(server, token, { claims: { aud } }), JSON.stringify(aud))
  }
})

test('A token is of another issuer, where the address is set', async () => {
  const address = 'https://tutti.example'
  await using set = await startIdentityServerOn(server.database, { TUTTI_PUBLIC_URL: address })
  await untilCalm(set)
  const own = (await login(set, ida)).token
  expect(decodeJwt(own).iss).toBe(address)
  expect(await statusAt(set, own)).toBe(200)
  expect(await statusAt(set, token)).toBe(401)
  for (const iss of ['https://evil.example', `${address}/`, `${address}:443`, '', [address], undefined]) {
    expect(await statusAt(set, await signLike(server, own, { claims: { iss } })), String(iss)).toBe(401)
  }
})

test('Another kind of token signed by the same key is used as an access token', async () => {
  for (const typ of ['JWT', 'jwt', 'id+jwt', 'logout+jwt', 'at+jwt2', '', undefined]) {
    await expectRefused(await signLike(server, token, { header: { typ } }), String(typ))
  }
})

test('A token has expired, or is not valid yet', async () => {
  const now = Math.floor(Date.now() / 1000)
  await expectRefused(await signLike(server, token, { claims: { exp: now - 1 } }), 'expired', 'token_expired')
  await expectRefused(await signLike(server, token, { claims: { exp: 0 } }), 'long ago', 'token_expired')
  await expectRefused(await signLike(server, token, { claims: { nbf: now + 3600 } }), 'not yet')
})

test('A token omits a claim, or has it in another type', async () => {
  const forgeries: Forgery['claims'][] = [
    ...['sub', 'gid', 'jti', 'exp', 'iss'].map((claim) => ({ [claim]: undefined })),
    { sub: 1 },
    { sub: ['x'] },
    { sub: { $ne: null } },
    { gid: null },
    { gid: {} },
    { exp: '9999999999' },
    { client_id: null },
    { client_id: ['x'] },
    { client_id: '' },
    { client_id: 'tutti-unknown', scope: 'models.read' },
  ]
  for (const claims of forgeries) {
    const forged = await signLike(server, token, { claims: claims ?? {} })
    await expectRefused(forged, JSON.stringify(claims))
  }
})

test('A token has its signature removed, changed or copied from another', async () => {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const other = (await login(server, ida)).token.split('.')[2] ?? ''
  const flipped = Buffer.from(signature, 'base64url')
  flipped[0] = (flipped[0] ?? 0) ^ 1
  const promoted = part({ ...decodeJwt(token), scope: 'all', roles: ['administrator'] })
  for (const forged of [
    `${header}.${claims}.`,
    `${header}.${claims}`,
    `${header}.${claims}.${other}`,
    `${header}.${claims}.${flipped.toString('base64url')}`,
    `${header}.${claims}.${Buffer.alloc(64).toString('base64url')}`,
    `${header}.${claims}.${signature.slice(0, -2)}`,
    `${header}.${claims}.${signature}${signature}`,
    `${header}.${promoted}.${signature}`,
    `${claims}.${header}.${signature}`,
  ]) {
    await expectRefused(forged, forged)
  }
})

test('A revoked token is sent in another encoding', async () => {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const bytes = Buffer.from(signature, 'base64url')
  const mirrored = (order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)).toString(16).padStart(64, '0')
  const spellings = [
    `${header}.${claims}.${Buffer.concat([bytes.subarray(0, 32), Buffer.from(mirrored, 'hex')]).toString('base64url')}`,
    ...['B', 'C', 'D', 'Q', 'g', 'w'].map((last) => `${header}.${claims}.${signature.slice(0, -1)}${last}`),
    `${header}.${claims}.${signature}=`,
    `${header}.${claims}.${signature}==`,
  ]
  expect((await call(server, 'POST /api/v1/auth/logout', { as: bearer(token) })).status).toBe(204)
  for (const spelling of [token, ...spellings]) expect(await statusAt(server, spelling), spelling).toBe(401)
})

test('A token is huge, has five parts, or requires extensions', async () => {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const large = 'A'.repeat(9000)
  for (const forged of [
    `${header}.${large}.${signature}`,
    `${large}.${claims}.${signature}`,
    '..',
    'a.b.c',
  ]) {
    await expectRefused(forged, forged.slice(0, 20))
  }
  await expectRefused(large, 'nothing like a token', 'invalid_api_key')
  await expectRefused(`${header}.${claims}.${signature}.${claims}.${signature}`, 'encrypted')
  const [, inner = ''] = (await signLike(server, token, {})).split('.')
  await expectRefused(
    `${part({ ...decodeProtectedHeader(token), cty: 'JWT' })}.${inner}.${signature}`,
    'nested',
  )
  const kid = JSON.stringify(decodeProtectedHeader(token).kid)
  const twice = Buffer.from(`{"alg":"none","alg":"ES256","typ":"at+jwt","kid":${kid}}`).toString('base64url')
  await expectRefused(`${twice}.${claims}.${signature}`, 'one name twice')
  for (const extra of [
    { crit: ['b64'], b64: false },
    { crit: ['x'], x: 1 },
    { crit: [] },
    { zip: 'DEF', crit: ['zip'] },
  ]) {
    await expectRefused(
      `${part({ ...decodeProtectedHeader(token), ...extra })}.${claims}.${signature}`,
      JSON.stringify(extra),
    )
  }
})

test('A revoked token is used at another replica', async () => {
  expect(await statusAt(replica, token)).toBe(200)
  expect((await call(server, 'POST /api/v1/auth/logout', { as: bearer(token) })).status).toBe(204)
  expect(await statusAt(server, token)).toBe(401)
  await expect.poll(() => statusAt(replica, token)).toBe(401)
})
