import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityServer, shareIdentityServer } from '../http/identity-server.ts'
import {
  addPerson,
  authorizeUrl,
  callAs,
  decide,
  follow,
  type RegisteredClient,
  registerClient,
} from '../http/oauth-support.ts'
import { locationOf, type Person, Visitor } from '../http/oauth-visitor.ts'
import { untilCalm } from './until-calm.ts'

let server: IdentityServer
let mallory: Person
let client: RegisteredClient

beforeAll(async () => {
  server = await shareIdentityServer()
  await untilCalm(server)
  mallory = await addPerson(server)
  client = await registerClient(server, mallory, {
    redirect_uris: ['https://app.example/callback', 'http://127.0.0.1:4000/callback'],
  })
})
afterAll(() => server[Symbol.asyncDispose]())

/** A page that says no, and no way on from it. */
async function expectPage(answer: Response, why: string): Promise<void> {
  expect([answer.status, answer.headers.get('location')], why).toEqual([400, null])
  expect(answer.headers.get('content-type'), why).toContain('text/html')
  const page = await answer.text()
  expect(page, why).not.toMatch(/<meta http-equiv|<a href|<script/)
}

async function ask(parameters: Readonly<Record<string, string | undefined>>): Promise<Response> {
  return await new Visitor(server, mallory).get(authorizeUrl(server, client, parameters))
}

const variants: Readonly<Record<string, readonly string[]>> = {
  'is longer': [
    'https://app.example/callback/more',
    'https://app.example/callback?x=1',
    'https://app.example/callback?',
    'https://app.example/callback/',
    'https://app.example/callback#',
    'https://app.example/callback#fragment',
    'https://app.example/callback;x',
    ' https://app.example/callback',
    'https://app.example/callback ',
    'https://app.example/callback\r\nset-cookie:x=1',
  ],
  'is written in another way': [
    'https://app.example/Callback',
    'https://APP.example/callback',
    'HTTPS://app.example/callback',
    'https://app.example:443/callback',
    'https://app.example/%63allback',
    'https://app.example/x/../callback',
    'https://app.example/./callback',
    'https://app.example//callback',
    'https:app.example/callback',
    'https:\\\\app.example\\callback',
    'https://app.example./callback',
  ],
  'leads elsewhere': [
    'https://evil.example/callback',
    'https://app.example@evil.example/callback',
    'https://app.example:x@evil.example/callback',
    'https://app.example.evil.example/callback',
    'https://evil.example\\@app.example/callback',
    'https://evil.example/?https://app.example/callback',
    'https://x.app.example/callback',
    '//app.example/callback',
    '//evil.example',
    '/callback',
    'http://app.example/callback',
    'ftp://app.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://127.0.0.1:4001/callback',
    'http://127.0.0.1/callback',
    'http://localhost:4000/callback',
    'http://[::1]:4000/callback',
  ],
}

test('A redirect_uri is longer than the registered one', async () => {
  for (const redirect_uri of variants['is longer'] ?? [])
    await expectPage(await ask({ redirect_uri }), redirect_uri)
})

test('A redirect_uri is the registered one in another spelling', async () => {
  for (const redirect_uri of variants['is written in another way'] ?? []) {
    await expectPage(await ask({ redirect_uri }), redirect_uri)
  }
})

test('A redirect_uri leads to another host, port or scheme', async () => {
  for (const redirect_uri of variants['leads elsewhere'] ?? []) {
    await expectPage(await ask({ redirect_uri }), redirect_uri)
    // Nor when the request has another mistake that would be sent back.
    await expectPage(await ask({ redirect_uri, response_type: 'token' }), redirect_uri)
    await expectPage(await ask({ redirect_uri, prompt: 'none' }), redirect_uri)
  }
})

test('A redirect_uri is left out, or sent twice', async () => {
  await expectPage(await ask({ redirect_uri: undefined }), 'left out')
  await expectPage(await ask({ redirect_uri: '' }), 'empty')
  const one = await registerClient(server, mallory)
  const stranger = new Visitor(server, mallory)
  await expectPage(await stranger.get(authorizeUrl(server, one, { redirect_uri: undefined })), 'the only one')
  for (const other of ['https://evil.example/', 'https://app.example/callback']) {
    const url = `${authorizeUrl(server, client)}&redirect_uri=${encodeURIComponent(other)}`
    await expectPage(await stranger.get(url), `twice: ${other}`)
  }
})

test('An unknown client requests a redirect', async () => {
  const evil = 'https://evil.example/'
  for (const client_id of [
    'tutti-unknown',
    '',
    `${client.client_id} `,
    client.client_id.toUpperCase(),
    '%00',
  ]) {
    await expectPage(await ask({ client_id, redirect_uri: evil }), client_id)
    await expectPage(await ask({ client_id, redirect_uri: evil, state: 'x', prompt: 'none' }), client_id)
  }
})

test('A client is registered with an address that a browser parses differently', async () => {
  for (const uri of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://app.example/',
    'https://app.example/#x',
    'https://user@app.example/',
    'https://*.example/',
    'https:///app.example/',
    'https:app.example',
    'https://app.example\\@evil.example/',
    'https://app.example/<x>',
    'https://app.exаmple/',
    'myapp:/callback',
    '//app.example/',
  ]) {
    for (const isPublic of [true, false]) {
      const answer = await callAs(server, mallory, 'POST', '/api/v1/oauth-clients', {
        name: 'x',
        scopes: ['models.read'],
        redirect_uris: [uri],
        public: isPublic,
      })
      expect(answer.status, uri).toBe(400)
    }
  }
})

test('A redirect address adds directives to the content security policy of the consent page', async () => {
  for (const uri of ['https://a;sandbox;b.example/', 'https://a,default-src.example/', 'https://a;b/']) {
    const answer = await callAs(server, mallory, 'POST', '/api/v1/oauth-clients', {
      name: 'x',
      scopes: ['models.read'],
      redirect_uris: [uri],
    })
    expect(answer.status, uri).toBe(400)
  }
})

test('A redirect address is removed while the consent page is open', async () => {
  const moved = await registerClient(server, mallory)
  const visitor = new Visitor(server, mallory)
  const page = await follow(visitor, authorizeUrl(server, moved))
  const path = `/api/v1/oauth-clients/${moved.client_id}`
  const changed = { redirect_uris: ['https://other.example/callback'] }
  expect((await callAs(server, mallory, 'PATCH', path, changed)).status).toBe(200)
  await expectPage(await decide(visitor, page, 'approve'), 'approved')
})

test('The code is requested in a fragment, a form or a message', async () => {
  for (const response_mode of ['fragment', 'form_post', 'web_message', 'query.jwt', 'x', '']) {
    const answer = await ask({ response_mode })
    expect(answer.status, response_mode).toBe(303)
    const landed = locationOf(answer)
    expect(landed.href, response_mode).not.toContain('code=')
    if (landed.origin === server.url) expect(response_mode).toBe('')
  }
  for (const response_type of ['token', 'id_token', 'code token', 'code id_token', 'none']) {
    const landed = locationOf(await ask({ response_type }))
    const told = landed.searchParams.get('error') ?? new URLSearchParams(landed.hash.slice(1)).get('error')
    expect(told, response_type).toBe('unsupported_response_type')
  }
})

test('The whole request is passed by reference, in request or request_uri', async () => {
  const smuggled = `e30.${Buffer.from('{"redirect_uri":"https://evil.example/"}').toString('base64url')}.`
  for (const extra of [{ request: smuggled }, { request_uri: `${server.url}/x` }]) {
    const landed = locationOf(await ask(extra))
    expect(landed.origin).toBe('https://app.example')
    expect(landed.searchParams.get('error')).toMatch(/^request(_uri)?_not_supported$/)
  }
})

test('A state has characters that cannot be stored, or that end a header', async () => {
  for (const state of ['\0', 'a\0b', '\r\nset-cookie: x=1', '\ud800', '"><script>']) {
    const answer = await ask({ state })
    expect(answer.status, JSON.stringify(state)).toBe(state.includes('\0') ? 400 : 303)
    expect(answer.headers.getSetCookie().join()).not.toContain('x=1')
  }
})
