import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, call, login } from '../http/identity-calls.ts'
import {
  basic,
  freshAddress,
  type IdentityServer,
  startIdentityServer,
  startIdentityServerOn,
} from '../http/identity-server.ts'
import { addPerson, callAs, registerClient } from '../http/oauth-support.ts'
import type { Person } from '../http/oauth-visitor.ts'
import { untilCalm } from './until-calm.ts'
import { sendRaw } from './wire.ts'

let server: IdentityServer
let replica: IdentityServer
let greta: Person
let hugo: Person

beforeAll(async () => {
  server = await startIdentityServer()
  replica = await startIdentityServerOn(server.database)
  await untilCalm(server, replica)
  greta = await addPerson(server, { roles: ['administrator'] })
  hugo = await addPerson(server)
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function makeKey(person: Person, extra: Readonly<Record<string, unknown>> = {}) {
  const answer = await callAs(server, person, 'POST', '/api/v1/api-keys', { name: 'key', ...extra })
  return (await answer.json()) as { id: string; key: string }
}

const ask = (headers: Readonly<Record<string, string>>, path = '/api/v1/user/profile') =>
  fetch(server.url + path, { headers: { 'x-forwarded-for': freshAddress(), ...headers } })

async function whoIs(headers: Readonly<Record<string, string>>): Promise<string> {
  return ((await (await ask(headers)).json()) as { username: string }).username
}

test('An invalid Authorization header is combined with a valid cookie or key', async () => {
  const { key } = await makeKey(greta)
  for (const authorization of [
    'Bearer x',
    'Bearer tk_wrong',
    'Bearer a.b.c',
    'Bearer',
    'Bearer  ',
    'Basic',
    'Basic x',
    `Basic ${Buffer.from('greta:wrong').toString('base64')}`,
    'Digest username="greta"',
    'Negotiate x',
    `Bearer ${key} x`,
    '',
  ]) {
    for (const good of [{ cookie: greta.session.cookie }, { 'x-api-key': key }]) {
      expect((await ask({ ...good, authorization })).status, authorization).toBe(401)
    }
  }
  for (const wrong of ['x', '', 'tk_']) {
    const answer = await ask({ cookie: greta.session.cookie, 'x-api-key': wrong })
    expect(answer.status, wrong).toBe(401)
  }
})

test('Two valid credentials of different accounts are combined', async () => {
  const { key } = await makeKey(hugo, { scopes: ['models.read'] })
  const { token } = await login(server, greta)
  expect(await whoIs({ ...bearer(token), 'x-api-key': key, cookie: hugo.session.cookie })).toBe(
    greta.username,
  )
  expect(await whoIs({ 'x-api-key': key, cookie: greta.session.cookie })).toBe(hugo.username)
  // The key has its own rights and none of the cookie's.
  expect((await ask({ 'x-api-key': key, cookie: greta.session.cookie }, '/api/v1/users')).status).toBe(403)
})

test('The same header is sent twice', async () => {
  const { key } = await makeKey(greta)
  const { token } = await login(server, greta)
  const send = (lines: readonly string[]) =>
    sendRaw(server.url, ['GET /api/v1/user/profile HTTP/1.1', 'Host: tutti', 'Connection: close', ...lines])
  const bad = 'Authorization: Bearer x'
  const good = `Authorization: Bearer ${token}`
  for (const lines of [
    [bad, good],
    [good, bad],
    [good, good],
  ])
    expect((await send(lines)).status).toBe(400)
  expect((await send(['X-API-Key: x', `X-API-Key: ${key}`])).status).toBe(401)
  expect((await send([`X-API-Key: ${key}`, 'X-API-Key: x'])).status).toBe(401)
  expect((await send([bad, `X-API-Key: ${key}`, `Cookie: ${greta.session.cookie}`])).status).toBe(401)
})

test('A credential is sent in the URL or in the body', async () => {
  const { key } = await makeKey(greta)
  const { token } = await login(server, greta)
  for (const name of ['api_key', 'apikey', 'key', 'x-api-key', 'access_token', 'token', 'authorization']) {
    for (const value of [key, token, `Bearer ${token}`]) {
      const query = new URLSearchParams({ [name]: value }).toString()
      expect((await ask({}, `/api/v1/user/profile?${query}`)).status, name).toBe(401)
    }
  }
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    const fields = { access_token: token, api_key: key, name: 'x' }
    const body = type.endsWith('json') ? JSON.stringify(fields) : new URLSearchParams(fields).toString()
    const answer = await fetch(`${server.url}/api/v1/content`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(answer.status, type).toBe(401)
  }
})

test('One kind of credential is used as another', async () => {
  const { key } = await makeKey(greta)
  const { token, refreshToken } = await login(server, greta)
  const { client_id, client_secret } = await registerClient(server, greta)
  const session = greta.session.cookie.slice('SESS='.length)
  for (const headers of [
    { 'x-api-key': token },
    { cookie: `SESS=${key}` },
    { cookie: `SESS=${token}` },
    bearer(session),
    bearer(greta.session.csrfToken),
    bearer(client_secret),
    bearer(refreshToken),
    { 'x-api-key': client_secret },
    { 'x-api-key': greta.password },
    basic(client_id, client_secret),
    basic(greta.username, key),
    basic(greta.username, token),
    basic(key, ''),
  ]) {
    expect((await ask(headers)).status, JSON.stringify(headers)).toBe(401)
  }
})

test('A restricted key creates keys, reads accounts or extends its scopes', async () => {
  const { id, key } = await makeKey(greta, { scopes: ['models.read', 'tours.manage'] })
  for (const as of [bearer(key), { 'x-api-key': key }]) {
    for (const [route, body] of [
      ['POST /api/v1/api-keys', { name: 'wide' }],
      ['POST /api/v1/api-keys', { name: 'same', scopes: ['models.read'] }],
      ['GET /api/v1/api-keys'],
      ['GET /api/v1/api-keys?owner=all'],
      [`DELETE /api/v1/api-keys/${id}`],
      ['POST /api/v1/oauth-clients', { name: 'x', scopes: ['models.read'] }],
      ['GET /api/v1/users'],
      ['POST /api/v1/users', { username: 'mine', password: 'long enough' }],
      ['GET /api/v1/roles'],
      ['GET /api/v1/audit'],
      ['GET /api/v1/sessions'],
      ['PATCH /api/v1/user/profile', { display_name: 'x' }],
      ['POST /api/v1/user/password', { current_password: greta.password, new_password: 'long enough' }],
    ] as const) {
      const answer = await call(server, route, { as, ...(body !== undefined && { body }) })
      expect([answer.status, answer.body.error.code], route).toEqual([403, 'insufficient_scope'])
    }
  }
  const patched = await call(server, `PATCH /api/v1/api-keys/${id}`, {
    as: bearer(key),
    body: { scopes: null },
  })
  expect([patched.status, patched.body.error.code]).toEqual([403, 'insufficient_scope'])
})

test('A key is created with unknown scopes, or with an invalid lifetime', async () => {
  for (const extra of [
    { scopes: [] },
    { scopes: ['*'] },
    { scopes: ['administer users'] },
    { scopes: ['__proto__'] },
    { scopes: 'models.read' },
    { expires_at: '2020-01-01T00:00:00Z' },
    { expires_at: '9999-01-01T00:00:00Z' },
    { expires_at: 'never' },
    { key: 'tk_of-my-own-choosing-0123456789' },
    { user_id: hugo.id },
    { prefix: 'tk_' },
  ]) {
    const body = { name: 'key', ...extra }
    const answer = await callAs(server, greta, 'POST', '/api/v1/api-keys', body)
    expect(answer.status, JSON.stringify(extra)).toBe(400)
  }
})

test('A revoked key is used at another replica', async () => {
  const { id, key } = await makeKey(greta)
  const statusAt = async (at: IdentityServer) =>
    (await call(at, 'GET /api/v1/user/profile', { as: bearer(key) })).status
  for (const at of [server, replica]) expect(await statusAt(at)).toBe(200)
  expect((await callAs(server, greta, 'DELETE', `/api/v1/api-keys/${id}`)).status).toBe(204)
  expect(await statusAt(server)).toBe(401)
  await expect.poll(() => statusAt(replica)).toBe(401)
})

test('A key of a disabled or deleted account is used', async () => {
  for (const end of ['disabled', 'deleted'] as const) {
    const person = await addPerson(server)
    const { key } = await makeKey(person)
    expect((await ask(bearer(key))).status).toBe(200)
    const path = `/api/v1/users/${person.id}`
    if (end === 'disabled') await callAs(server, greta, 'PATCH', path, { disabled: true })
    else await callAs(server, greta, 'DELETE', path)
    expect((await ask(bearer(key))).status, end).toBe(401)
  }
})

test('A user lists or revokes the keys of another account', async () => {
  const { id } = await makeKey(greta)
  expect((await callAs(server, hugo, 'DELETE', `/api/v1/api-keys/${id}`)).status).toBe(404)
  expect((await callAs(server, hugo, 'GET', '/api/v1/api-keys?owner=all')).status).toBe(403)
  const own = (await (await callAs(server, hugo, 'GET', '/api/v1/api-keys')).json()) as {
    data: { id: string }[]
  }
  expect(own.data.map((listed) => listed.id)).not.toContain(id)
})
