import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIdentityAdministration } from '#identity'
import { bearer, call, login } from '../http/identity-calls.ts'
import {
  addAccount,
  type IdentityServer,
  startIdentityServer,
  startIdentityServerOn,
} from '../http/identity-server.ts'
import { untilCalm } from './until-calm.ts'

const lera = { username: 'lera', password: 'sixth sonata now' }

let server: IdentityServer
let replica: IdentityServer

beforeAll(async () => {
  server = await startIdentityServer()
  replica = await startIdentityServerOn(server.database)
  await untilCalm(server, replica)
  await addAccount(server.database, lera)
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const statusAt = async (at: IdentityServer, token: string) =>
  (await call(at, 'GET /api/v1/user/profile', { as: bearer(token) })).status

test('A private key is read from the published keys', async () => {
  await login(server, lera)
  for (const path of ['/.well-known/jwks.json', '/.well-known/oauth-authorization-server'] as const) {
    const { status, body } = await call<unknown>(server, `GET ${path}`)
    expect(status).toBe(200)
    const [stored] = await server.database.query<{ d: string }>(
      `select private_jwk->>'d' as d from identity_signing_keys`,
    )
    const text = JSON.stringify(body)
    expect(text).not.toContain(stored?.d)
    for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']) expect(text).not.toContain(`"${name}":`)
  }
  const { body } = await call<{ keys: Record<string, string>[] }>(server, 'GET /.well-known/jwks.json')
  for (const key of body.keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  }
})

test('A token is signed with a key that leaked and was distrusted', async () => {
  const { token } = await login(server, lera)
  for (const at of [server, replica]) expect(await statusAt(at, token)).toBe(200)
  const { database, events, metrics } = server
  const administration = createIdentityAdministration({ database, events, metrics })
  await administration.rotateSigningKey({ distrustOld: true })
  for (const at of [server, replica]) {
    // Remembered as it is by both, it must not outlive its key.
    await expect.poll(() => statusAt(at, token)).toBe(401)
    const { body } = await call<{ keys: { kid: string }[] }>(at, 'GET /.well-known/jwks.json')
    expect(body.keys.map(({ kid }) => kid)).not.toContain(decodeProtectedHeader(token).kid)
    expect(await statusAt(at, (await login(at, lera)).token)).toBe(200)
  }
})
