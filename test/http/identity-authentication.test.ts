import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addAccount,
  type BrowserSession,
  basic,
  countHashes,
  errorCode,
  eventsOf,
  freshAddress,
  type IdentityServer,
  openSession,
  startIdentityServer,
} from './identity-server.ts'

const nadia = { username: 'nadia', password: 'fontainebleau: été' }

let server: IdentityServer
let session: BrowserSession

beforeAll(async () => {
  server = await startIdentityServer()
  await addAccount(server.database, nadia)
  session = await openSession(server, nadia)
})

afterAll(() => server[Symbol.asyncDispose]())

beforeEach(() => server.database.query('delete from identity_sign_in_limits'))

const ask = (headers: Record<string, string>) => fetch(`${server.url}/api/v1/content`, { headers })

describe('an anonymous caller', () => {
  test('has the current permissions of the role anonymous', async () => {
    expect(await (await ask({})).json()).toEqual({
      id: null,
      method: 'anonymous',
      roles: ['anonymous'],
      permissions: ['access content'],
    })
    await server.database.query(`update identity_roles set permissions = '{}' where name = 'anonymous'`)
    expect((await ask({})).status).toBe(401)
    await server.database.query(
      `update identity_roles set permissions = '{"access content"}' where name = 'anonymous'`,
    )
  })
})

describe('a header beside a valid cookie', () => {
  test.each([
    ['Basic with a wrong password', basic('nadia', 'wrong'), 'invalid_credentials'],
    ['Basic without a password', { authorization: 'Basic bmFkaWE=' }, 'invalid_credentials'],
    ['Basic that is not base64', { authorization: 'Basic ***' }, 'invalid_credentials'],
    ['Basic with nothing', { authorization: 'Basic' }, 'invalid_credentials'],
    ['Bearer with any token', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }, 'invalid_token'],
    ['bearer in lower case', { authorization: 'bearer x' }, 'invalid_api_key'],
    ['Bearer with a long text', { authorization: `Bearer ${'x'.repeat(9000)}` }, 'invalid_api_key'],
    ['Bearer with nothing', { authorization: 'Bearer' }, 'invalid_api_key'],
    ['Bearer with an API key', { authorization: 'Bearer tk_123' }, 'invalid_api_key'],
    ['X-API-Key', { 'x-api-key': 'tk_123' }, 'invalid_api_key'],
    ['an empty X-API-Key', { 'x-api-key': '' }, 'invalid_api_key'],
    ['another scheme', { authorization: 'Digest username="nadia"' }, 'authentication_required'],
    ['an empty Authorization', { authorization: '' }, 'authentication_required'],
  ])('%s decides alone', async (_name, headers, code) => {
    const answer = await ask({ ...headers, cookie: session.cookie })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    expect(await errorCode(answer)).toBe(code)
  })

  test('Authorization wins over X-API-Key', async () => {
    const answer = await ask({ ...basic(nadia.username, nadia.password), 'x-api-key': 'tk_123' })
    expect(await answer.json()).toMatchObject({ id: session.userId, method: 'basic' })
  })
})

describe('Basic authentication', () => {
  test('uses the account of the password, and needs no CSRF token', async () => {
    const headers = basic('NADIA', nadia.password)
    expect(await (await ask(headers)).json()).toMatchObject({ id: session.userId, method: 'basic' })
    const written = await fetch(`${server.url}/api/v1/content`, { method: 'POST', headers })
    expect(await written.json()).toEqual({ written_by: 'nadia' })
  })

  test('computes the hash once a minute, not with every request', async () => {
    const headers = basic('Nadia', nadia.password)
    await ask(headers)
    const before = await countHashes(server)
    for (let round = 0; round < 20; round += 1) expect((await ask(headers)).status).toBe(200)
    expect(await countHashes(server)).toBe(before)
  })

  test('computes the hash once for many concurrent requests, and limits none of them', async () => {
    const headers = { ...basic('nADIA', nadia.password), 'x-forwarded-for': freshAddress() }
    const before = await countHashes(server)
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(headers)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200))
    expect(await countHashes(server)).toBe(before + 1)
  })

  test('refuses a cached password once it has changed', async () => {
    const paul = { username: 'paul', password: 'mathis der maler' }
    await addAccount(server.database, paul)
    const headers = basic(paul.username, paul.password)
    expect((await ask(headers)).status).toBe(200)
    await server.database.query(`
      update identity_users set password_hash = (select password_hash from identity_users where username = 'nadia')
      where username = 'paul'
    `)
    expect((await ask(headers)).status).toBe(401)
    expect((await ask(basic(paul.username, nadia.password))).status).toBe(200)
  })

  test('refuses a disabled or deleted account at once', async () => {
    const lili = { username: 'lili', password: 'faust et hélène' }
    await addAccount(server.database, lili)
    const headers = basic(lili.username, lili.password)
    expect((await ask(headers)).status).toBe(200)
    await server.database.query(`update identity_users set disabled_at = now() where username = 'lili'`)
    expect((await ask(headers)).status).toBe(401)
    await server.database.query(`delete from identity_users where username = 'lili'`)
    expect((await ask(headers)).status).toBe(401)
  })

  test('failures are logged and limited like those of the form', async () => {
    const ip = freshAddress()
    const statuses: number[] = []
    for (let round = 0; round < 12; round += 1) {
      statuses.push((await ask({ ...basic('nadia', `wrong ${round}`), 'x-forwarded-for': ip })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    expect((await eventsOf(server, 'identity.sign_in_failed')).at(-1)?.data).toMatchObject({
      ip,
      method: 'basic',
    })
  })
})
