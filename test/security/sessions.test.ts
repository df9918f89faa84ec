import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cookieOf,
  type IdentityServer,
  openSession,
  setCookieOf,
  signIn,
  signInByForm,
  startIdentityServer,
  startIdentityServerOn,
} from '../http/identity-server.ts'
import { addPerson, callAs } from '../http/oauth-support.ts'
import { locationOf, type Person } from '../http/oauth-visitor.ts'
import { untilCalm } from './until-calm.ts'

let server: IdentityServer
let replica: IdentityServer
let admin: Person

beforeAll(async () => {
  server = await startIdentityServer()
  replica = await startIdentityServerOn(server.database)
  await untilCalm(server, replica)
  admin = await addPerson(server, { roles: ['administrator'] })
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const statusWith = async (cookie: string, at = server) =>
  (await fetch(`${at.url}/api/v1/user/profile`, { headers: { cookie } })).status

async function expectEnded(cookie: string, why: string): Promise<void> {
  for (const at of [server, replica]) expect(await statusWith(cookie, at), why).toBe(401)
}

test('A session cookie is planted before a user signs in (session fixation)', async () => {
  const person = await addPerson(server)
  const planted = `SESS=${randomBytes(32).toString('base64url')}`
  for (const cookie of [planted, person.session.cookie, (await addPerson(server)).session.cookie]) {
    const answer = await signIn(server, person, { headers: { cookie } })
    expect(answer.status).toBe(200)
    expect(cookieOf(answer)).not.toBe(cookie)
    await expectEnded(cookie, 'planted')
    expect(await statusWith(cookieOf(answer))).toBe(200)
  }
})

test('The cookie is stolen by a script, by another site, or in transit', async () => {
  const cookie = setCookieOf(await signIn(server, admin))
  expect(cookie).toMatch(/^SESS=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
  const https = setCookieOf(await signIn(server, admin, { headers: { 'x-forwarded-proto': 'https' } }))
  expect(https).toMatch(/; Secure(;|$)/)
})

test('The cookie is sent unencrypted although the public URL is https', async () => {
  await using secure = await startIdentityServerOn(server.database, {
    TUTTI_PUBLIC_URL: 'https://tutti.example',
  })
  expect(setCookieOf(await signIn(secure, admin))).toMatch(/; Secure(;|$)/)
})

test('A session token is guessed, or derived from visible values', async () => {
  const { cookie, csrfToken } = await openSession(server, admin)
  const value = cookie.slice('SESS='.length)
  const listed = await callAs(server, admin, 'GET', '/api/v1/sessions')
  const { data } = (await listed.json()) as { data: { id: string }[] }
  const hash = createHash('sha256').update(value).digest()
  for (const guess of [
    ...data.map(({ id }) => id),
    hash.toString('base64url'),
    hash.toString('hex'),
    csrfToken,
    value.slice(0, -1),
    `${value}A`,
    value.toLowerCase(),
    `${value}' or '1'='1`,
    randomBytes(32).toString('base64url'),
    '',
  ]) {
    expect(await statusWith(`SESS=${guess}`), guess).toBe(401)
  }
})

test('A session is used after its owner signed out', async () => {
  const { cookie, csrfToken } = await openSession(server, admin)
  expect(await statusWith(cookie, replica)).toBe(200)
  const headers = { cookie, 'x-csrf-token': csrfToken }
  const answer = await fetch(`${server.url}/user/logout`, { method: 'POST', headers })
  expect([answer.status, setCookieOf(answer).startsWith('SESS=;')]).toEqual([204, true])
  await expectEnded(cookie, 'signed out')
  const write = await fetch(`${server.url}/api/v1/api-keys`, { method: 'POST', headers })
  expect(write.status).toBe(401)
})

test('A session is used after the password was changed', async () => {
  const person = await addPerson(server)
  const stolen = await openSession(server, person)
  const body = { current_password: person.password, new_password: 'another password' }
  expect((await callAs(server, person, 'POST', '/api/v1/user/password', body)).status).toBe(204)
  await expectEnded(stolen.cookie, 'changed by its owner')
  expect(await statusWith(person.session.cookie)).toBe(200)
  const reset = { password: 'chosen by the administrator' }
  await callAs(server, admin, 'PATCH', `/api/v1/users/${person.id}`, reset)
  await expectEnded(person.session.cookie, 'changed by an administrator')
  expect((await signIn(server, person)).status).toBe(401)
})

test('A session is used after its account was disabled, and when it is enabled again', async () => {
  const person = await addPerson(server)
  const path = `/api/v1/users/${person.id}`
  await callAs(server, admin, 'PATCH', path, { disabled: true })
  await expectEnded(person.session.cookie, 'disabled')
  await callAs(server, admin, 'PATCH', path, { disabled: false })
  await expectEnded(person.session.cookie, 'enabled again')
})

test('A session is used after its account was deleted', async () => {
  const person = await addPerson(server)
  expect((await callAs(server, admin, 'DELETE', `/api/v1/users/${person.id}`)).status).toBe(204)
  await expectEnded(person.session.cookie, 'deleted')
})

test('A user ends or lists the sessions of another account', async () => {
  const [one, other] = [await addPerson(server), await addPerson(server)]
  const list = async (person: Person) => {
    const answer = await callAs(server, person, 'GET', '/api/v1/sessions')
    return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
  }
  const [id = ''] = await list(other)
  expect(await list(one)).not.toContain(id)
  expect((await callAs(server, one, 'DELETE', `/api/v1/sessions/${id}`)).status).toBe(404)
  expect((await callAs(server, one, 'DELETE', '/api/v1/sessions')).status).toBe(204)
  expect(await statusWith(other.session.cookie)).toBe(200)
})

const elsewhere = [
  'https://evil.example/',
  'http:evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%09/evil.example/..//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '@evil.example',
  '.evil.example',
  '?//evil.example',
  '/\u0000/evil.example',
  '/\u2028/\\evil.example',
  'https:///evil.example',
  `//${'x'.repeat(3000)}`,
]

test('A sign-in redirects to another site (open redirect)', async () => {
  const { username, password } = admin
  for (const destination of elsewhere) {
    const why = JSON.stringify(destination)
    const query = `/user/login?destination=${encodeURIComponent(destination)}`
    const headers = { cookie: admin.session.cookie }
    const visit = await fetch(server.url + query, { redirect: 'manual', headers })
    const sent = await signInByForm(server, { username, password, destination })
    for (const answer of [visit, sent]) {
      // What cannot be stored is a mistake of the form, and leads nowhere.
      expect(destination.includes('\0') ? [303, 400] : [303], why).toContain(answer.status)
      expect(answer.headers.get('location') ?? '/', why).toMatch(/^\/(?![/\\])/)
      if (answer.status === 303) expect(locationOf(answer).origin, why).toBe(server.url)
    }
  }
})
