import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccount, basic } from './identity-server.ts'
import { builderPath, shareToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer
const account = { username: 'nora', password: 'correct horse battery' }

beforeAll(async () => {
  server = await shareToursServer()
  const { id } = await server.make({ label: 'Guarded' })
  await server.addStep(id, { title: 'One' })
  await addAccount(server.database, { ...account, roles: ['administrator'] })
  await addAccount(server.database, { username: 'otto', password: account.password })
})

afterAll(() => server[Symbol.asyncDispose]())

const json = { accept: 'application/json' }
const roles = ['creator', 'editor', 'deleter', 'exporter', 'analyst'] as const
type Role = (typeof roles)[number]

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly allowed: readonly Role[]
  /** The status for permitted callers. Default: 200. */
  readonly status?: number
}

const calls: readonly Call[] = [
  { method: 'GET', path: '', allowed: roles },
  { method: 'GET', path: '/templates', allowed: roles },
  { method: 'GET', path: '/templates/basic', allowed: roles },
  { method: 'GET', path: '/guarded', allowed: roles },
  { method: 'GET', path: '/guarded/preview', allowed: roles },
  { method: 'POST', path: '', body: { label: 'New' }, allowed: ['creator'], status: 201 },
  { method: 'PUT', path: '/guarded', body: { launch: 'auto' }, allowed: ['editor'] },
  { method: 'GET', path: '/guarded/builder', allowed: ['editor'] },
  {
    method: 'POST',
    path: `${builderPath}/guarded/step`,
    body: { stepId: 'one', stepData: { title: 'One' } },
    allowed: ['editor'],
  },
  { method: 'POST', path: `${builderPath}/guarded/reorder`, body: { order: ['one'] }, allowed: ['editor'] },
  { method: 'DELETE', path: `${builderPath}/guarded/step/nowhere`, allowed: ['editor'], status: 404 },
  { method: 'DELETE', path: '/nowhere', allowed: ['deleter'], status: 404 },
  { method: 'GET', path: '/guarded/analytics', allowed: ['analyst'] },
]

describe.each(calls)('$method $path', ({ method, path, body, allowed, status = 200 }) => {
  test.each(roles)('with the role %s', async (role) => {
    const answer = await server.call(path, { method, body, headers: json, as: userWithRole(role) })
    expect(answer.status).toBe(allowed.includes(role) ? status : 403)
  })

  test('is allowed to tour administrators', async () => {
    const answer = await server.call(path, { method, body, headers: json, as: userWithRole('admin') })
    expect(answer.status).toBe(status)
  })

  test.each(['stranger', ''])('is 403 for %j, in the format of the API', async (who) => {
    const as = who === '' ? '' : userWithRole(who)
    const answer = await server.call(path, { method, body, headers: json, as })
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ success: false, errors: [{ field: '', code: 'permission_denied' }] })
    expect(answer.body.message).not.toBe('')
  })
})

async function openSession() {
  const signedIn = await server.post('/user/login', account, { as: undefined })
  const cookie =
    signedIn.headers
      .getSetCookie()
      .find((one) => one.startsWith('SESS='))
      ?.split(';', 1)[0] ?? ''
  return { cookie, csrf: String(signedIn.body.csrf_token) }
}

describe('credentials', () => {
  test('a session reads without and writes with its CSRF token', async () => {
    const { cookie, csrf } = await openSession()
    expect((await server.call('', { as: undefined, headers: { cookie } })).status).toBe(200)
    const without = await server.post('', { label: 'By session' }, { as: undefined, headers: { cookie } })
    expect(without.status).toBe(403)
    expect(without.body).toMatchObject({ success: false, errors: [{ code: 'invalid_csrf_token' }] })
    const headers = { cookie, 'x-csrf-token': csrf }
    expect((await server.post('', { label: 'By session' }, { as: undefined, headers })).status).toBe(201)
  })

  test('an API key works in either header, and so does a password', async () => {
    const made = await server.post(
      '/api/v1/api-keys',
      { name: 'mine' },
      { as: undefined, headers: basic(account.username, account.password) },
    )
    const key = String(made.body.key)
    for (const headers of [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      basic(account.username, account.password),
    ]) {
      expect((await server.call('', { as: undefined, headers })).status).toBe(200)
    }
  })

  test('an invalid one is 401', async () => {
    for (const headers of [
      { 'x-api-key': 'tk_wrong' },
      { authorization: 'Bearer tk_wrong' },
      { authorization: 'Bearer a.b.c' },
      { authorization: 'Digest username="nora"' },
    ]) {
      const answer = await server.call('', { as: undefined, headers })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toContain('Bearer')
      expect(answer.body).toMatchObject({
        success: false,
        errors: [{ code: expect.stringMatching(/^(?:invalid_|authentication_required$)/) }],
      })
    }
  })

  test('an account without any permission for tours is 403', async () => {
    const answer = await server.call('', { as: undefined, headers: basic('otto', account.password) })
    expect(answer.status).toBe(403)
  })

  test('a session with X-Requested-With has its own limit of 200', async () => {
    const { cookie } = await openSession()
    const headers = { cookie, 'x-requested-with': 'XMLHttpRequest' }
    const answer = await server.call('', { as: undefined, headers })
    expect(answer.headers.get('x-ratelimit-limit')).toBe('200')
  })
})

describe('limits', () => {
  test('100 a minute for an account, on all paths together', async () => {
    const as = userWithRole('admin')
    for (let n = 0; n < 99; n += 1) await server.call('/guarded', { as })
    const last = await server.post('', {}, { as })
    expect(last.status).toBe(400)
    expect(last.headers.get('x-ratelimit-limit')).toBe('100')
    expect(last.headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = await server.call(`${builderPath}/guarded/reorder`, {
      as,
      method: 'POST',
      body: { order: ['one'] },
    })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.body).toMatchObject({ success: false, errors: [{ code: 'rate_limited' }] })
    expect((await server.call('/guarded', { as: userWithRole('admin') })).status).toBe(200)
  })

  test('20 a minute for an address without an account', async () => {
    const headers = { 'x-forwarded-for': '10.2.2.2' }
    for (let n = 0; n < 20; n += 1) {
      expect((await server.call('', { as: undefined, headers })).status).toBe(403)
    }
    const refused = await server.call('', { as: undefined, headers })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('x-ratelimit-limit')).toBe('20')
    expect(
      (await server.call('', { as: undefined, headers: { 'x-forwarded-for': '10.2.2.3' } })).status,
    ).toBe(403)
  })
})
