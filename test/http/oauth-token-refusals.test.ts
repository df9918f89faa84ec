import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, type IdentityServer, shareIdentityServer } from './identity-server.ts'
import {
  addPerson,
  getClientToken,
  proofOf,
  type RegisteredClient,
  registerClient,
  sendForm,
  tokensOf,
} from './oauth-support.ts'
import type { Person } from './oauth-visitor.ts'

let server: IdentityServer
let fanny: Person
let client: RegisteredClient
beforeAll(async () => {
  server = await shareIdentityServer()
  fanny = await addPerson(server)
  client = await registerClient(server, fanny)
})
afterAll(() => server[Symbol.asyncDispose]())

async function post(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await sendForm(server, '/oauth/token', fields, headers)
  const body = await tokensOf(answer)
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(body.error_description).toBeTypeOf('string')
  return { status: answer.status, error: body.error, challenge: answer.headers.get('www-authenticate') }
}
const mine = () => ({ grant_type: 'client_credentials', ...proofOf(client) })

describe('the token endpoint returns the errors of RFC 6749', () => {
  test('for an unknown client and for a wrong secret alike', async () => {
    const unknown = await post({ ...mine(), client_id: 'tutti-unknown' })
    const wrong = await post({ ...mine(), client_secret: 'wrong' })
    expect(unknown).toEqual({
      status: 401,
      error: 'invalid_client',
      challenge: expect.stringMatching(/^Basic /) as string,
    })
    expect(wrong).toEqual(unknown)
    const form = { grant_type: 'client_credentials' }
    expect(await post(form, basic(client.client_id, 'wrong'))).toEqual(unknown)
    expect(await post(form, basic('tutti-unknown', client.client_secret))).toEqual(unknown)
    expect(await post({ ...form, client_id: client.client_id })).toEqual(unknown)
    expect(await post(form)).toEqual(unknown)
    expect(await post(form, { authorization: 'Bearer x' })).toEqual(unknown)
    expect(await post(form, { authorization: 'Basic %%%' })).toEqual(unknown)
    expect(await post(form, basic('%zz', 'x'))).toEqual(unknown)
    expect(await post(form, basic('\0', 'x'))).toEqual(unknown)
  })

  test('for a secret of a public client', async () => {
    const open = await registerClient(server, fanny, { public: true })
    const fields = {
      grant_type: 'authorization_code',
      client_id: open.client_id,
      client_secret: 'x',
      code: 'y',
    }
    expect((await post(fields)).error).toBe('invalid_client')
  })

  test('for a client that authenticates twice, or as two', async () => {
    const headers = basic(client.client_id, client.client_secret)
    expect((await post(mine(), headers)).error).toBe('invalid_request')
    const other = { grant_type: 'client_credentials', client_id: 'tutti-other' }
    expect((await post(other, headers)).error).toBe('invalid_request')
  })

  test.each<[string, Record<string, string>, string]>([
    ['no grant type', { grant_type: '' }, 'unsupported_grant_type'],
    ['a password', { grant_type: 'password', username: 'fanny', password: 'x' }, 'unsupported_grant_type'],
    ['an implicit one', { grant_type: 'implicit' }, 'unsupported_grant_type'],
    ['a device', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }, 'unsupported_grant_type'],
    ['no code', { grant_type: 'authorization_code' }, 'invalid_request'],
    ['no redirect_uri', { grant_type: 'authorization_code', code: 'x' }, 'invalid_request'],
    [
      'a code that never was',
      { grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://app.example/callback' },
      'invalid_grant',
    ],
    ['no refresh token', { grant_type: 'refresh_token' }, 'invalid_request'],
    ['a refresh token that never was', { grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
    ['an unknown scope', { grant_type: 'client_credentials', scope: 'world.rule' }, 'invalid_scope'],
    ['a foreign scope', { grant_type: 'client_credentials', scope: 'tours.manage' }, 'invalid_scope'],
    ['a scope that is none', { grant_type: 'client_credentials', scope: '"\\' }, 'invalid_scope'],
  ])('%s', async (_name, fields, error) => {
    expect(await post({ ...proofOf(client), ...fields })).toMatchObject({ status: 400, error })
  })

  test('for a grant the client is not registered for', async () => {
    const machine = await registerClient(server, fanny, {
      redirect_uris: [],
      grant_types: ['client_credentials'],
    })
    const fields = { ...proofOf(machine), grant_type: 'authorization_code', code: 'x', redirect_uri: 'x' }
    expect((await post(fields)).error).toBe('unauthorized_client')
    const open = await registerClient(server, fanny, { public: true })
    const own = { grant_type: 'client_credentials', client_id: open.client_id }
    expect((await post(own)).error).toBe('unauthorized_client')
  })

  test('for a client whose owner was disabled', async () => {
    const owner = await addPerson(server)
    const theirs = await registerClient(server, owner)
    await server.database.query('update identity_users set disabled_at = now() where id = $1', [owner.id])
    await expect
      .poll(async () => (await tokensOf(await getClientToken(server, theirs))).error)
      .toBe('unauthorized_client')
  })

  test('for a repeated field', async () => {
    const body = new URLSearchParams({ ...mine(), scope: 'models.read' })
    body.append('scope', 'models.generate')
    const answer = await fetch(`${server.url}/oauth/token`, { method: 'POST', body })
    expect(answer.status).toBe(400)
    expect((await tokensOf(answer)).error).toBe('invalid_request')
  })

  test.each<[string, RequestInit, number]>([
    [
      'JSON',
      { body: '{"grant_type":"client_credentials"}', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['broken JSON', { body: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['a picture', { body: 'x', headers: { 'content-type': 'image/png' } }, 400],
    ['nothing', {}, 400],
    ['far too much', { body: new URLSearchParams({ grant_type: 'x'.repeat(1_100_000) }) }, 413],
    [
      'a lot',
      { body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x'.repeat(9000) }) },
      400,
    ],
  ])('%s', async (_name, init, status) => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', ...init })
      expect(answer.status).toBe(status)
      expect((await tokensOf(answer)).error).toBe('invalid_request')
    }
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s', async (method) => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
      const answer = await fetch(`${server.url}${path}`, { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('POST')
      expect((await tokensOf(answer)).error).toBe('invalid_request')
    }
  })
})
