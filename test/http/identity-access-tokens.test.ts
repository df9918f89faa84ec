import { randomUUID } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bearer, call, login, type Tokens } from './identity-calls.ts'
import {
  addAccount,
  type IdentityServer,
  startIdentityServer,
  startIdentityServerOn,
  startIdentityServerWithClock,
} from './identity-server.ts'

const amy = { username: 'amy', password: 'gaelic symphony', roles: ['author'] }

let server: IdentityServer
let amyId: string
let tokens: Tokens

beforeAll(async () => {
  server = await startIdentityServer()
  amyId = await addAccount(server.database, amy)
})

afterAll(() => server[Symbol.asyncDispose]())

beforeEach(async () => {
  tokens = await login(server, amy)
})

const profile = (token: string, on = server) => call(on, 'GET /api/v1/user/profile', { as: bearer(token) })

async function profileStatus(token: string, on = server): Promise<number> {
  return (await profile(token, on)).status
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

interface Forgery {
  readonly header?: Record<string, unknown>
  readonly claims?: Record<string, unknown>
}

/** Signs claims with the platform's own key. */
async function signToken({ header = {}, claims = {} }: Forgery): Promise<string> {
  const [key] = await server.database.query<{ kid: string; private_jwk: JWK }>(
    'select kid, private_jwk from identity_signing_keys',
  )
  if (key === undefined) throw new Error('there is no signing key')
  const now = Math.floor(Date.now() / 1000)
  const { gid } = decodeJwt(tokens.token)
  const sound = { gid, sub: amyId, iss: server.url, aud: 'tutti', jti: randomUUID(), iat: now, exp: now + 60 }
  const said = Object.entries({ ...sound, ...claims }).filter(([, value]) => value !== undefined)
  return await new SignJWT(Object.fromEntries(said))
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
    .sign(await importJWK(key.private_jwk, 'ES256'))
}

describe('an access token', () => {
  test('can be verified with the published keys', async () => {
    const keySet = createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(tokens.token, keySet, {
      issuer: server.url,
      audience: 'tutti',
      typ: 'at+jwt',
    })
    expect(protectedHeader.alg).toBe('ES256')
    expect(payload.sub).toBe(amyId)
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900)
    const published = await call<{ keys: Record<string, unknown>[] }>(server, 'GET /.well-known/jwks.json')
    for (const key of published.body.keys) expect(Object.keys(key)).not.toContain('d')
  })

  test('that has expired is reported as expired', async () => {
    const past = Math.floor(Date.now() / 1000) - 5
    const answer = await profile(await signToken({ claims: { exp: past } }))
    expect([answer.status, answer.body.error.code]).toEqual([401, 'token_expired'])
    expect(answer.headers.get('www-authenticate')).toContain('invalid_token')
  })

  test('that expires while it is in use is refused from then on', async () => {
    await using apart = await startIdentityServerWithClock()
    await addAccount(apart.database, amy)
    const { token } = await login(apart, amy)
    expect(await profileStatus(token, apart)).toBe(200)
    apart.advance(900_000)
    const refused = await profile(token, apart)
    expect([refused.status, refused.body.error.code]).toEqual([401, 'token_expired'])
  })

  test('with all required claims is accepted', async () => {
    expect(await profileStatus(await signToken({}))).toBe(200)
  })

  test.each<[string, Forgery]>([
    ['for another audience', { claims: { aud: 'elsewhere' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['of another kind', { header: { typ: 'JWT' } }],
    ['of no key', { header: { kid: 'unknown' } }],
    ['without a grant', { claims: { gid: undefined } }],
    ['without an account', { claims: { sub: undefined } }],
    ['of an account that does not exist', { claims: { sub: randomUUID() } }],
    ['of an account that cannot exist', { claims: { sub: "' or 1=1 --" } }],
    ['without an end', { claims: { exp: undefined } }],
    ['of a client that does not exist', { claims: { client_id: 'unknown', scope: 'models.read' } }],
    ['that is not valid yet', { claims: { nbf: 4_000_000_000 } }],
  ])('%s is refused', async (_name, forgery) => {
    const answer = await profile(await signToken(forgery))
    expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid_token'])
  })

  test('signed by another key, or by none, is refused', async () => {
    const [header = '', claims = '', signature = ''] = tokens.token.split('.')
    const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
    for (const forged of [
      `${header}.${claims}.${other}`,
      `${header}.${claims}.`,
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${claims}.`,
      `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${claims}.${signature}`,
      `${header}.${encode({ ...decodeJwt(tokens.token), sub: randomUUID() })}.${signature}`,
      '..',
      'a.b.c',
    ]) {
      const answer = await profile(forged)
      expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid_token'])
    }
  })

  test('of another issuer is refused where the public URL is set', async () => {
    await using known = await startIdentityServerOn(server.database, {
      TUTTI_PUBLIC_URL: 'https://tutti.example',
    })
    expect(await profileStatus(tokens.token, known)).toBe(401)
    const own = await login(known, amy)
    expect(decodeJwt(own.token).iss).toBe('https://tutti.example')
    expect(await profileStatus(own.token, known)).toBe(200)
  })
})
