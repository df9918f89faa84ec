import { afterAll, beforeAll, expect, test } from 'vitest'
import { browser } from '../http/identity-calls.ts'
import { basic, type IdentityServer, startIdentityServer } from '../http/identity-server.ts'
import { addPerson, callAs } from '../http/oauth-support.ts'
import type { Person } from '../http/oauth-visitor.ts'
import { untilCalm } from './until-calm.ts'

let server: IdentityServer
let boss: Person
let viewer: Person

beforeAll(async () => {
  server = await startIdentityServer()
  await untilCalm(server)
  boss = await addPerson(server, { roles: ['administrator'] })
  viewer = await addPerson(server, { roles: ['viewer'] })
})
afterAll(() => server[Symbol.asyncDispose]())

interface Profile {
  readonly id: string
  readonly username: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  readonly tier: string
}

async function profileOf(person: Person): Promise<Profile> {
  return (await (await callAs(server, person, 'GET', '/api/v1/user/profile')).json()) as Profile
}

/** Sends JSON as it stands, with names that an object literal could not have. */
function sendText(person: Person, method: string, path: string, body: string): Promise<Response> {
  return fetch(server.url + path, {
    method,
    headers: { ...browser(person.session), 'content-type': 'application/json' },
    body,
  })
}

test('A viewer, an anonymous caller or a wrong password uses the routes of administrators', async () => {
  const role = '/api/v1/roles/viewer'
  const account = `/api/v1/users/${viewer.id}`
  for (const [method, path, body] of [
    ['GET', '/api/v1/users'],
    ['POST', '/api/v1/users', { username: 'mine', password: 'long enough', roles: ['administrator'] }],
    ['GET', account],
    ['PATCH', account, { roles: ['administrator'] }],
    ['DELETE', `/api/v1/users/${boss.id}`],
    ['GET', '/api/v1/roles'],
    ['POST', '/api/v1/roles', { name: 'mine', label: 'Mine', permissions: ['administer users'] }],
    ['PATCH', role, { permissions: ['administer users'] }],
    ['DELETE', role],
    ['GET', '/api/v1/permissions'],
    ['GET', '/api/v1/audit'],
    ['GET', '/api/v1/api-keys?owner=all'],
    ['GET', '/api/v1/oauth-clients?owner=all'],
  ] as const) {
    expect((await callAs(server, viewer, method, path, body)).status, `${method} ${path}`).toBe(403)
    for (const headers of [{}, basic(boss.username, 'wrong'), { cookie: boss.session.cookie.slice(0, -1) }]) {
      const answer = await fetch(server.url + path, { method, headers })
      expect([401, 429], `${method} ${path}`).toContain(answer.status)
    }
  }
})

test('A user sets their own roles, tier or permissions in their profile', async () => {
  const before = await profileOf(viewer)
  for (const extra of [
    { roles: ['administrator'] },
    { tier: 'enterprise' },
    { permissions: ['administer users'] },
    { all_permissions: true },
    { disabled: false },
    { password: 'without the old one' },
    { username: boss.username },
    { id: boss.id },
    { user_id: boss.id },
  ]) {
    const body = { display_name: 'Harmless', ...extra }
    const answer = await callAs(server, viewer, 'PATCH', '/api/v1/user/profile', body)
    expect(answer.status, JSON.stringify(extra)).toBe(400)
  }
  expect(await profileOf(viewer)).toEqual(before)
})

test('A new account or role contains undeclared fields (mass assignment)', async () => {
  const account = { username: 'assigned', password: 'long enough' }
  for (const extra of [
    { id: boss.id },
    { password_hash: 'x' },
    { permissions: ['administer users'] },
    { all_permissions: true },
    { is_admin: true },
    { disabled_at: null },
    { created_at: '2020-01-01T00:00:00Z' },
    { roles: ['administrator', 'no-such-role'] },
    { roles: ['anonymous'] },
    { roles: 'administrator' },
    { tier: 'unlimited' },
  ]) {
    const answer = await callAs(server, boss, 'POST', '/api/v1/users', { ...account, ...extra })
    expect(answer.status, JSON.stringify(extra)).toBe(400)
  }
  for (const extra of [{ all_permissions: true }, { built_in: true }, { permissions: ['everything'] }]) {
    const body = { name: 'assigned', label: 'Assigned', permissions: [], ...extra }
    expect((await callAs(server, boss, 'POST', '/api/v1/roles', body)).status).toBe(400)
  }
  for (const extra of [{ client_id: 'mine' }, { client_secret: 'mine' }, { user_id: viewer.id }]) {
    const body = { name: 'x', scopes: ['models.read'], redirect_uris: ['https://x.example/'], ...extra }
    expect((await callAs(server, boss, 'POST', '/api/v1/oauth-clients', body)).status).toBe(400)
  }
})

test('A body changes the prototype of all objects (prototype pollution)', async () => {
  const before = await profileOf(viewer)
  const hostile = [
    '{"display_name":"x","__proto__":{"roles":["administrator"],"admin":true}}',
    '{"display_name":"x","constructor":{"prototype":{"roles":["administrator"]}}}',
    '{"__proto__":{"display_name":"x"}}',
  ]
  for (const body of hostile) {
    const answer = await sendText(viewer, 'PATCH', '/api/v1/user/profile', body)
    expect(answer.status, body).toBe(400)
  }
  const form = new URLSearchParams({ 'username[__proto__][x]': '1', '__proto__[admin]': '1', password: 'x' })
  const posted = await fetch(`${server.url}/user/login`, { method: 'POST', body: form, redirect: 'manual' })
  expect(posted.status).toBe(400)
  expect((await fetch(`${server.url}/user/login?__proto__[destination]=//evil`)).status).toBe(200)
  expect('admin' in {}).toBe(false)
  expect(await profileOf(viewer)).toEqual(before)
})

test('The administrator role is emptied, deleted or replaced', async () => {
  const path = '/api/v1/roles/administrator'
  const emptied = await callAs(server, boss, 'PATCH', path, { permissions: [] })
  expect(emptied.status).toBe(409)
  expect((await callAs(server, boss, 'DELETE', path)).status).toBe(409)
  for (const name of ['authenticated', 'anonymous', 'viewer']) {
    expect((await callAs(server, boss, 'DELETE', `/api/v1/roles/${name}`)).status, name).toBe(409)
  }
  const again = { name: 'administrator', label: 'Mine', permissions: [] }
  expect((await callAs(server, boss, 'POST', '/api/v1/roles', again)).status).toBe(409)
  expect((await profileOf(boss)).permissions).toContain('administer users')
})

test('The last administrator is deleted, disabled or demoted', async () => {
  // Without any other administrator.
  await using alone = await startIdentityServer()
  await untilCalm(alone)
  const one = await addPerson(alone, { roles: ['administrator'] })
  const other = await addPerson(alone, { roles: ['administrator'] })
  // Each removes the other at the same moment; one has to stay.
  const fates = await Promise.all([
    callAs(alone, one, 'PATCH', `/api/v1/users/${other.id}`, { roles: [] }),
    callAs(alone, other, 'PATCH', `/api/v1/users/${one.id}`, { roles: [] }),
  ])
  const [kept, refused] = fates.map(({ status }) => status).toSorted((low, high) => low - high)
  expect(kept).toBe(200)
  // The other is told that it is the last, or that it is an administrator no more.
  expect([401, 403, 409]).toContain(refused)
  const [last] = await alone.database.query<{ id: string }>(
    `select user_id as id from identity_user_roles where role = 'administrator'`,
  )
  expect([one.id, other.id]).toContain(last?.id)
  const left = last?.id === one.id ? one : other
  const path = `/api/v1/users/${left.id}`
  expect((await callAs(alone, left, 'PATCH', path, { roles: [] })).status).toBe(409)
  expect((await callAs(alone, left, 'PATCH', path, { disabled: true })).status).toBe(409)
  expect((await callAs(alone, left, 'DELETE', path)).status).toBe(409)
  expect(
    (await callAs(alone, left, 'PATCH', `/api/v1/users/${one.id}`, { roles: ['administrator'] })).status,
  ).toBe(200)
})
