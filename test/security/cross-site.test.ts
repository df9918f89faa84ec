import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  eventsOf,
  freshAddress,
  type IdentityServer,
  setCookieOf,
  signIn,
  signInByForm,
  startIdentityServer,
} from '../http/identity-server.ts'
import { addPerson, callAs } from '../http/oauth-support.ts'
import type { Person } from '../http/oauth-visitor.ts'
import { untilCalm } from './until-calm.ts'

let server: IdentityServer
let victim: Person
let attacker: Person

beforeAll(async () => {
  server = await startIdentityServer()
  await untilCalm(server)
  victim = await addPerson(server, { roles: ['administrator'] })
  attacker = await addPerson(server)
})
afterAll(() => server[Symbol.asyncDispose]())

interface Forged {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
}

/** What another site can make the browser of the victim send. */
function forge({
  path = '/api/v1/api-keys',
  method = 'POST',
  headers = {},
  body,
}: Forged): Promise<Response> {
  return fetch(server.url + path, {
    method,
    redirect: 'manual',
    headers: { cookie: victim.session.cookie, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
}

async function expectRefused(answer: Response, why: string): Promise<void> {
  const { error } = (await answer.json()) as { error: { code: string } }
  expect([answer.status, error.code], why).toEqual([403, 'invalid_csrf_token'])
}

const newKey = '{"name":"forged"}'

const anonymousToken = async () => (await fetch(`${server.url}/session/token`)).text()

test('A write is sent with the cookie and without a CSRF token', async () => {
  await expectRefused(await forge({ body: newKey }), 'a key')
  for (const [method, path] of [
    ['POST', '/api/v1/users'],
    ['PATCH', `/api/v1/users/${victim.id}`],
    ['DELETE', `/api/v1/users/${attacker.id}`],
    ['POST', '/api/v1/roles'],
    ['POST', '/api/v1/oauth-clients'],
    ['POST', '/api/v1/user/password'],
    ['PATCH', '/api/v1/user/profile'],
    ['DELETE', '/api/v1/sessions'],
    ['POST', '/api/v1/auth/logout'],
    ['POST', '/user/logout'],
  ] as const) {
    await expectRefused(await forge({ method, path, body: '{}' }), `${method} ${path}`)
  }
  const { data } = (await (await callAs(server, victim, 'GET', '/api/v1/api-keys')).json()) as {
    data: unknown[]
  }
  expect(data).toEqual([])
})

test('A write is sent with the CSRF token of another session', async () => {
  const elsewhere = await addPerson(server)
  for (const token of [attacker.session.csrfToken, elsewhere.session.csrfToken, '', 'x', 'undefined']) {
    await expectRefused(await forge({ body: newKey, headers: { 'x-csrf-token': token } }), token)
  }
})

test('A write of a session is sent with the CSRF token of a visitor without a session', async () => {
  const headers = { 'x-csrf-token': await anonymousToken() }
  await expectRefused(await forge({ body: newKey, headers }), 'anonymous')
  await expectRefused(await forge({ path: '/api/v1/feedback', body: '{}', headers }), 'on a route for anyone')
})

test('A write has its CSRF token in the body, the query or a cookie', async () => {
  const { csrfToken, cookie } = victim.session
  const inBody = JSON.stringify({ name: 'forged', csrf_token: csrfToken, 'X-CSRF-Token': csrfToken })
  await expectRefused(await forge({ body: inBody }), 'body')
  const query = `csrf_token=${csrfToken}&X-CSRF-Token=${csrfToken}`
  await expectRefused(await forge({ path: `/api/v1/api-keys?${query}`, body: newKey }), 'query')
  const doubled = `${cookie}; X-CSRF-Token=${csrfToken}; csrf_token=${csrfToken}`
  await expectRefused(await forge({ body: newKey, headers: { cookie: doubled } }), 'cookie')
})

test('A page of another origin sends JSON as a form or as plain text', async () => {
  const { csrfToken } = victim.session
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const headers = { 'content-type': type }
    await expectRefused(await forge({ body: newKey, headers }), type)
    const withToken = await forge({ body: newKey, headers: { ...headers, 'x-csrf-token': csrfToken } })
    expect([400, 415], type).toContain(withToken.status)
  }
})

test('A write is disguised as a read method', async () => {
  const path = `/api/v1/users/${attacker.id}`
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
    const answer = await forge({ method: 'GET', path, headers: { [name]: 'DELETE' } })
    expect(answer.status, name).toBe(200)
    const posted = await forge({ path: `${path}?_method=DELETE`, headers: { [name]: 'DELETE' }, body: '{}' })
    expect(posted.status, name).toBe(405)
  }
  expect((await callAs(server, victim, 'GET', path)).status).toBe(200)
})

const otherSites: readonly Readonly<Record<string, string>>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'https://evil.example', referer: 'https://evil.example/' },
]

test('Another site signs a visitor in to the attacker’s account', async () => {
  const credentials = { username: attacker.username, password: attacker.password }
  for (const headers of otherSites) {
    for (const send of [signIn, signInByForm]) {
      const answer = await send(server, credentials, { headers })
      expect(answer.status, JSON.stringify(headers)).toBe(403)
      expect(setCookieOf(answer)).toBe('')
    }
  }
  const own = await signInByForm(server, credentials, { headers: { origin: server.url } })
  expect(own.status).toBe(303)
})

test('Another site signs a user out', async () => {
  for (const body of [
    new URLSearchParams(),
    new URLSearchParams({ csrf_token: attacker.session.csrfToken }),
  ]) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' }
    await expectRefused(await forge({ path: '/user/logout', headers, body }), body.toString())
  }
  expect((await forge({ method: 'GET', path: '/user/logout' })).status).toBe(405)
  expect((await callAs(server, victim, 'GET', '/api/v1/user/profile')).status).toBe(200)
  expect(await eventsOf(server, 'identity.signed_out')).toEqual([])
})

test('Another site reads the response to a request it made a browser send', async () => {
  for (const [method, path] of [
    ['GET', '/session/token'],
    ['GET', '/api/v1/user/profile'],
    ['GET', '/user/login'],
    ['GET', '/oauth/authorize'],
    ['GET', '/.well-known/jwks.json'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['POST', '/oauth/token'],
    ['POST', '/oauth/introspect'],
    ['POST', '/api/v1/auth/login'],
    ['POST', '/api/v1/auth/refresh'],
    ['GET', '/nothing/here'],
  ] as const) {
    for (const verb of [method, 'OPTIONS']) {
      const answer = await fetch(server.url + path, {
        method: verb,
        redirect: 'manual',
        headers: {
          cookie: victim.session.cookie,
          origin: 'https://evil.example',
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,x-csrf-token',
          'x-forwarded-for': freshAddress(),
        },
      })
      const allowed = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))
      expect(allowed, `${verb} ${path}`).toEqual([])
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  }
})
