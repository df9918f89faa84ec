import { request as sendRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshAddress, type IdentityServer, shareIdentityServer } from './identity-server.ts'
import { addPerson, authorizeUrl, makePkce, type RegisteredClient, registerClient } from './oauth-support.ts'
import { locationOf, type Person, Visitor } from './oauth-visitor.ts'

let server: IdentityServer
let fanny: Person
let client: RegisteredClient
beforeAll(async () => {
  server = await shareIdentityServer()
  fanny = await addPerson(server)
  client = await registerClient(server, fanny)
})
afterAll(() => server[Symbol.asyncDispose]())

type Parameters = Readonly<Record<string, string | undefined>>

async function ask(parameters: Parameters, person: Person | undefined = fanny): Promise<Response> {
  return await new Visitor(server, person).get(authorizeUrl(server, client, parameters))
}

describe('an authorization request gets an error page and never a redirect', () => {
  test.each<[string, Parameters]>([
    ['an unknown client', { client_id: 'tutti-unknown' }],
    ['no client', { client_id: undefined }],
    ['a client that cannot be', { client_id: '\0' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['a redirect_uri of another site', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer path', { redirect_uri: 'https://app.example/callback/more' }],
    ['a slash at the end', { redirect_uri: 'https://app.example/callback/' }],
    ['a query', { redirect_uri: 'https://app.example/callback?x=1' }],
    ['other letters', { redirect_uri: 'https://app.example/Callback' }],
    ['another port', { redirect_uri: 'https://app.example:443/callback' }],
    ['another scheme', { redirect_uri: 'http://app.example/callback' }],
    ['a subdomain', { redirect_uri: 'https://x.app.example/callback' }],
    ['a longer host', { redirect_uri: 'https://app.example.evil.example/callback' }],
    ['userinfo', { redirect_uri: 'https://app.example@evil.example/callback' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['a wrong response type as well', { redirect_uri: 'https://evil.example/', response_type: 'token' }],
  ])('for %s', async (_name, parameters) => {
    const answer = await ask(parameters)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const page = await answer.text()
    expect(page).toContain('Nothing was shared with it.')
    expect(page).not.toContain('<script>')
  })

  test('for an anonymous visitor, too', async () => {
    const stranger = new Visitor(server)
    const url = authorizeUrl(server, client, { redirect_uri: 'https://evil.example/' })
    expect((await stranger.get(url)).status).toBe(400)
  })

  test('for another local port, even of a native application', async () => {
    const open = await registerClient(server, fanny, {
      public: true,
      redirect_uris: ['com.example.app:/signed-in', 'http://127.0.0.1:4000/callback'],
    })
    const url = authorizeUrl(server, open, { redirect_uri: 'http://127.0.0.1:4001/callback' })
    expect((await new Visitor(server, fanny).get(url)).status).toBe(400)
  })

  test('for a repeated parameter', async () => {
    const url = `${authorizeUrl(server, client)}&redirect_uri=${encodeURIComponent('https://evil.example/')}`
    const answer = await new Visitor(server, fanny).get(url)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })
})

describe('an authorization request redirects to the application with its error and state', () => {
  test.each<[string, string, Parameters]>([
    ['an unknown scope', 'invalid_scope', { scope: 'models.read,world.rule' }],
    ['a scope the client is not registered for', 'invalid_scope', { scope: 'tours.manage' }],
    ['openid', 'invalid_scope', { scope: 'openid models.read' }],
    ['an implicit token', 'unsupported_response_type', { response_type: 'token' }],
    ['an id token', 'unsupported_response_type', { response_type: 'id_token' }],
    ['no response type', 'invalid_request', { response_type: undefined }],
    [
      'a plain challenge',
      'invalid_request',
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
    ],
    ['a challenge without a method', 'invalid_request', { code_challenge: makePkce().challenge }],
    [
      'a challenge that is none',
      'invalid_request',
      { code_challenge: 'short', code_challenge_method: 'S256' },
    ],
    ['form_post', 'unsupported_response_mode', { response_mode: 'form_post' }],
    ['fragment', 'unsupported_response_mode', { response_mode: 'fragment' }],
    ['web_message', 'unsupported_response_mode', { response_mode: 'web_message' }],
    ['a request object', 'request_not_supported', { request: 'e30.e30.' }],
    ['a request elsewhere', 'request_uri_not_supported', { request_uri: 'http://127.0.0.1:1/x' }],
    ['a prompt that is not known', 'invalid_request', { prompt: 'login' }],
    ['no question, and no consent', 'consent_required', { prompt: 'none' }],
  ])('for %s', async (_name, error, parameters) => {
    const answer = await ask({ state: 's & t', ...parameters })
    expect(answer.status).toBe(303)
    const landed = locationOf(answer)
    expect(landed.origin + landed.pathname).toBe('https://app.example/callback')
    const told = new URLSearchParams(landed.search || landed.hash.slice(1))
    expect(told.get('error')).toBe(error)
    expect(told.get('state')).toBe('s & t')
    expect(told.get('iss')).toBe(server.url)
    expect(told.get('code')).toBeNull()
  })

  test('for prompt=none without a session', async () => {
    const answer = await new Visitor(server).get(authorizeUrl(server, client, { prompt: 'none', state: 'x' }))
    expect(locationOf(answer).searchParams.get('error')).toBe('login_required')
    expect(locationOf(answer).searchParams.get('state')).toBe('x')
  })

  test('for a public client without PKCE', async () => {
    const open = await registerClient(server, fanny, { public: true })
    const answer = await new Visitor(server, fanny).get(authorizeUrl(server, open))
    expect(locationOf(answer).searchParams.get('error')).toBe('invalid_request')
  })

  test('for a client without a redirect_uri, which gets a page', async () => {
    const machine = await registerClient(server, fanny, {
      redirect_uris: [],
      grant_types: ['client_credentials'],
    })
    const url = authorizeUrl(server, machine, { redirect_uri: 'https://app.example/callback' })
    expect((await new Visitor(server, fanny).get(url)).status).toBe(400)
  })
})

test('unknown parameters are ignored', async () => {
  const answer = await ask({
    nonce: 'n',
    max_age: '0',
    claims: '{}',
    acr_values: 'x',
    resource: 'https://x.example',
  })
  expect(locationOf(answer).pathname).toMatch(/^\/oauth\/consent\//)
})

test('a request too long for the sign-in redirect gets an error', async () => {
  const answer = await new Visitor(server).get(authorizeUrl(server, client, { state: 'x'.repeat(9000) }))
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('This request is too long')
})

test('an invalid Host header is a client error', async () => {
  for (const host of ['a b', 'evil.example/path', 'x@evil.example', '[', 'evil.example?x']) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(server.url)
      const path = '/.well-known/oauth-authorization-server'
      sendRequest({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(400)
  }
})

test('other sites get no CORS permission', async () => {
  const headers = { origin: 'https://app.example', 'x-forwarded-for': freshAddress() }
  for (const path of ['/oauth/token', '/oauth/revoke', '/.well-known/oauth-authorization-server']) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await fetch(`${server.url}${path}`, { method, headers })
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  }
})

test('no other endpoint of the OpenID provider exists', async () => {
  for (const path of [
    '/.well-known/openid-configuration',
    '/oauth/userinfo',
    '/oauth/register',
    '/reg',
    '/me',
    '/jwks',
    '/session/end',
    '/request',
    '/device/auth',
  ]) {
    for (const method of ['GET', 'POST']) {
      expect((await fetch(`${server.url}${path}`, { method })).status).toBe(404)
    }
  }
})
