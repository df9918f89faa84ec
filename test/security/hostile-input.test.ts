import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { login } from '../http/identity-calls.ts'
import {
  basic,
  freshAddress,
  type IdentityServer,
  signIn,
  signInByForm,
  startIdentityServer,
} from '../http/identity-server.ts'
import { addPerson, authorizeUrl, callAs, follow, registerClient } from '../http/oauth-support.ts'
import { type Person, Visitor } from '../http/oauth-visitor.ts'
import { untilCalm } from './until-calm.ts'

let server: IdentityServer
let otto: Person

beforeAll(async () => {
  server = await startIdentityServer()
  await untilCalm(server)
  otto = await addPerson(server, { username: 'otto', roles: ['administrator'] })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => server.database.query('delete from identity_sign_in_limits'))

async function statusesOf(username: string, password = otto.password): Promise<readonly number[]> {
  const ip = freshAddress()
  const byBasic = await fetch(`${server.url}/api/v1/user/profile`, {
    headers: { ...basic(username, password), 'x-forwarded-for': ip },
  })
  const answers = [
    await signIn(server, { username, password }),
    await signInByForm(server, { username, password }),
    byBasic,
    await fetch(`${server.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify({ username, password }),
    }),
  ]
  return answers.map(({ status }) => status)
}

async function expectRefused(username: string): Promise<void> {
  for (const status of await statusesOf(username)) {
    expect([400, 401], JSON.stringify(username.slice(0, 60))).toContain(status)
  }
  await server.database.query('delete from identity_sign_in_limits')
}

test('A username contains SQL', async () => {
  for (const username of [
    `otto'--`,
    `otto' or '1'='1`,
    `' or 1=1 --`,
    `'; drop table identity_users; --`,
    'otto\\',
    '%',
    '_tto',
    'ot%',
    'otto"',
    '$1',
  ]) {
    await expectRefused(username)
  }
  for (const search of [`'`, '%', '_', '\\', `' or '1'='1`]) {
    const path = `/api/v1/users?search=${encodeURIComponent(search)}`
    const answer = await callAs(server, otto, 'GET', path)
    expect([answer.status, ((await answer.json()) as { total: number }).total], search).toEqual([200, 0])
  }
  expect((await login(server, otto)).token).toBeTruthy()
})

test('A username has NUL, half a surrogate pair, or excessive length', async () => {
  for (const username of [
    'otto\0',
    '\0otto',
    'otto\ud800',
    'o'.repeat(256),
    'o'.repeat(5000),
    '\u202eotto',
    'otto\u200b',
    '',
  ]) {
    await expectRefused(username)
  }
  const huge = await signIn(server, { username: 'otto', password: 'x'.repeat(500_000) })
  expect(huge.status).toBe(400)
  const beyond = await signIn(server, { username: 'otto', password: 'x'.repeat(1_100_000) })
  expect(beyond.status).toBe(413)
})

test('An account name imitates another, or differs only in case', async () => {
  for (const username of ['OTTO', 'Otto', 'ｏｔｔｏ', ' otto ']) {
    expect(await statusesOf(username), username).toEqual([200, 303, 200, 200])
    if (username === username.trim()) {
      const taken = { username, password: 'long enough', roles: [] }
      expect((await callAs(server, otto, 'POST', '/api/v1/users', taken)).status, username).toBe(409)
    }
  }
  // Cyrillic and Greek letters are other letters, and so other names.
  for (const username of ['оttо', 'οttο', 'ottо']) await expectRefused(username)
  for (const username of [
    'otto\u200b',
    '\u2060otto',
    'ot\u00adto',
    'otto\u202e',
    'o:tto',
    'otto/..',
    '<otto>',
  ]) {
    const body = { username, password: 'long enough' }
    expect((await callAs(server, otto, 'POST', '/api/v1/users', body)).status, JSON.stringify(username)).toBe(
      400,
    )
  }
})

const script = '<img src=x onerror=alert(1)>"\'&amp;'

test('A name or a parameter contains HTML', async () => {
  const client = await registerClient(server, otto, { name: script })
  const visitor = new Visitor(server, otto)
  const pages = [
    await follow(visitor, authorizeUrl(server, client)),
    await visitor.get(authorizeUrl(server, client, { redirect_uri: script })),
    await visitor.get(authorizeUrl(server, client, { client_id: script })),
    await visitor.get(
      `${server.url}/oauth/authorize?${encodeURIComponent(script)}=${encodeURIComponent(script)}`,
    ),
    await visitor.get(`${server.url}/oauth/continue?state=${encodeURIComponent(script)}&"><img src=x>`),
    await visitor.get(`${server.url}/oauth/consent/${encodeURIComponent(script)}`),
    await visitor.get(`${server.url}/oauth/authorize/${encodeURIComponent(script)}`),
    await fetch(`${server.url}/user/login?destination=/${encodeURIComponent(script)}`),
    await signInByForm(server, { username: script, password: 'wrong', destination: `/?${script}` }),
    await visitor.get(`${server.url}/user/${encodeURIComponent(script)}`),
  ]
  for (const page of pages) {
    const text = await page.text()
    expect(text, page.url).not.toContain('<img')
    expect(text, page.url).not.toContain('onerror=alert(1)>')
    if (!page.headers.get('content-type')?.includes('json')) {
      expect(page.headers.get('content-security-policy'), page.url).toMatch(/script-src 'self' 'nonce-/)
    }
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('The name of an application reverses the text of the consent page', async () => {
  for (const mark of ['\u202e', '\u202d', '\u2066', '\u2067', '\u200f', '\u061c']) {
    const answer = await callAs(server, otto, 'POST', '/api/v1/oauth-clients', {
      name: `Reader ${mark}`,
      scopes: ['models.read'],
      redirect_uris: ['https://app.example/'],
    })
    expect(answer.status, JSON.stringify(mark)).toBe(400)
  }
})

test('One string in a body blocks the process', async () => {
  // A pattern that goes back over its steps needs many seconds for this, and an hour for a whole body.
  const long = `${'a'.repeat(30_000)}\n`
  const before = process.cpuUsage()
  for (const [method, path, body] of [
    ['POST', '/api/v1/api-keys', { name: long }],
    ['PATCH', '/api/v1/user/profile', { display_name: long }],
    ['POST', '/api/v1/oauth-clients', { name: long, scopes: ['models.read'] }],
    ['POST', '/api/v1/roles', { name: long, label: long, permissions: [] }],
    ['PATCH', '/api/v1/user/profile', { email: `${'a.'.repeat(15_000)}@` }],
  ] as const) {
    expect((await callAs(server, otto, method, path, body)).status, path).toBe(400)
  }
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
})

test('One list in a body blocks the process', async () => {
  const many = Array.from({ length: 60_000 }, (_, index) => index)
  const before = process.cpuUsage()
  for (const [method, path, body] of [
    ['POST', '/api/v1/oauth-clients', { name: 'x', scopes: many }],
    ['POST', '/api/v1/oauth-clients', { name: 'x', scopes: ['models.read'], grant_types: many }],
    ['POST', '/api/v1/api-keys', { name: 'x', scopes: many }],
    ['POST', '/api/v1/users', { username: 'x', password: 'long enough', roles: many }],
  ] as const) {
    expect((await callAs(server, otto, method, path, body)).status, path).toBe(400)
  }
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  for (const [body, message] of [
    [deep, 'must not be nested more than 200 levels deep'],
    [JSON.stringify(many), 'more than 10000 JSON values'],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const refused = await fetch(`${server.url}/api/v1/auth/login`, { method: 'POST', headers, body })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain(message)
  }
})
