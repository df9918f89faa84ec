import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, call, type ErrorBody, login, type UserBody } from './identity-calls.ts'
import {
  addAccount,
  basic,
  eventsOf,
  type IdentityServer,
  openSession,
  startIdentityServer,
  startIdentityServerOn,
} from './identity-server.ts'

const clara = { username: 'clara', password: 'drei romanzen', roles: ['administrator'] }
const password = 'frauenliebe und leben'

let server: IdentityServer
let admin: { authorization: string }
let claraId: string

beforeAll(async () => {
  server = await startIdentityServer()
  claraId = await addAccount(server.database, clara)
  admin = bearer((await login(server, clara)).token)
})

afterAll(() => server[Symbol.asyncDispose]())

const create = <Body = UserBody>(fields: Record<string, unknown>) =>
  call<Body>(server, 'POST /api/v1/users', { as: admin, body: { password, ...fields } })

const change = <Body = UserBody>(id: string, body: unknown, as: Record<string, string> = admin) =>
  call<Body>(server, `PATCH /api/v1/users/${id}`, { as, body })

const remove = (id: string, as: Record<string, string> = admin) =>
  call(server, `DELETE /api/v1/users/${id}`, { as })

async function profileStatus(as: Record<string, string>, on = server): Promise<number> {
  return (await call(on, 'GET /api/v1/user/profile', { as })).status
}

describe('a change', () => {
  test('changes only the named fields, and writes an event', async () => {
    const { body: before } = await create({
      username: 'niels',
      email: 'niels@example.org',
      roles: ['author'],
    })
    const changed = await change(before.id, { username: 'Niels Gade', tier: 'basic', roles: ['viewer'] })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      ...before,
      username: 'Niels Gade',
      tier: 'basic',
      roles: ['authenticated', 'viewer'],
      permissions: ['access content', 'view recipe tour analytics', 'view workflow analytics'],
    })
    expect((await change(before.id, { email: null, display_name: 'N. W. Gade' })).body).toMatchObject({
      email: null,
      display_name: 'N. W. Gade',
      roles: ['authenticated', 'viewer'],
    })
    const events = (await eventsOf(server, 'identity.account_changed')).filter(
      ({ account }) => account === before.id,
    )
    expect(events.map(({ data }) => data)).toMatchObject([
      { by: claraId, changed: ['username', 'tier', 'roles'], username: 'Niels Gade', roles: ['viewer'] },
      { by: claraId, changed: ['email', 'display_name'] },
    ])
    expect(JSON.stringify(events)).not.toContain('N. W. Gade')
  })

  test('that changes nothing writes no event', async () => {
    const { body } = await create({ username: 'same', roles: ['author'] })
    const before = await server.events.lastId()
    expect((await change(body.id, { username: 'same', roles: ['authenticated', 'author'] })).body).toEqual(
      body,
    )
    expect(await server.events.lastId()).toBe(before)
  })

  test('to a taken name is refused, to another case of its own is not', async () => {
    const { body } = await create({ username: 'ignaz' })
    const taken = await change<ErrorBody>(body.id, { username: 'CLARA' })
    expect(taken.status).toBe(409)
    expect(taken.body.error.problems).toMatchObject([{ path: 'username' }])
    expect((await change(body.id, { username: 'Ignaz' })).body.username).toBe('Ignaz')
  })

  test.each([
    ['nothing', {}, ''],
    ['an unknown role', { roles: ['conductor'] }, 'roles[0]'],
    ['an unknown tier', { tier: 'gold' }, 'tier'],
    ['a short password', { password: 'short' }, 'password'],
    ['a name that is none', { username: 'a:b' }, 'username'],
    ['an unknown field', { permissions: [] }, 'permissions'],
    ['a number for a truth', { disabled: 1 }, 'disabled'],
  ])('of %s is refused', async (_name, body, path) => {
    const answer = await change<ErrorBody>(claraId, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.problems?.[0]?.path).toBe(path)
  })

  test('of roles applies to the next request of every credential', async () => {
    const { body } = await create({ username: 'joseph', roles: ['administrator'] })
    const { token } = await login(server, { username: 'joseph', password })
    const key = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
      as: bearer(token),
      body: { name: 'k' },
    })
    const session = await openSession(server, { username: 'joseph', password })
    const credentials = [
      bearer(token),
      bearer(key.body.key),
      { cookie: session.cookie },
      basic('joseph', password),
    ]
    const statuses = () =>
      Promise.all(
        credentials.map(async (as) => (await call(server, 'GET /api/v1/users?limit=1', { as })).status),
      )
    expect(await statuses()).toEqual([200, 200, 200, 200])
    await change(body.id, { roles: ['viewer'] })
    expect(await statuses()).toEqual([403, 403, 403, 403])
    await change(body.id, { roles: ['administrator'] })
    expect(await statuses()).toEqual([200, 200, 200, 200])
  })
})

describe('a new password, or disabling', () => {
  test.each([
    ['a password', { password: 'a new one for you' }],
    ['disabling', { disabled: true }],
  ])('%s ends sessions, tokens and consents at once, here and on other replicas', async (name, body) => {
    await using replica = await startIdentityServerOn(server.database)
    const account = { username: `shut out by ${name}`, password }
    const { body: user } = await create({ username: account.username, roles: ['author'] })
    const session = await openSession(server, account)
    const tokens = await login(server, account)
    await server.database.query(
      `
        insert into identity_oauth_records (model, id, payload, grant_id, user_id)
        values ('Grant', sha256(convert_to($1::text, 'utf8')), '{}', 'grant of ' || $1::text, $1::uuid)
      `,
      [user.id],
    )
    const credentials = [{ cookie: session.cookie }, bearer(tokens.token)]
    for (const as of credentials) expect(await profileStatus(as, replica)).toBe(200)

    expect((await change(user.id, body)).status).toBe(200)
    for (const as of [...credentials, basic(account.username, password)]) {
      expect(await profileStatus(as)).toBe(401)
    }
    for (const as of credentials) await expect.poll(() => profileStatus(as, replica)).toBe(401)
    const refreshed = await call(server, 'POST /api/v1/auth/refresh', {
      body: { refreshToken: tokens.refreshToken },
    })
    expect(refreshed.body.error.code).toBe('invalid_token')
    expect(
      await server.database.query('select from identity_oauth_records where user_id = $1', [user.id]),
    ).toEqual([])
    expect(
      await server.database.query('select from identity_revocations where id = $1', [`grant of ${user.id}`]),
    ).toHaveLength(1)
  })

  test('the new password is not in any event, and works', async () => {
    const { body: user } = await create({ username: 'johannes' })
    expect((await change(user.id, { password: 'ein deutsches requiem' })).status).toBe(200)
    await login(server, { username: 'johannes', password: 'ein deutsches requiem' })
    const event = (await eventsOf(server, 'identity.password_changed')).at(-1)
    expect(event).toMatchObject({ account: user.id, data: { by: claraId } })
    expect(JSON.stringify(event)).not.toContain('requiem')
  })

  test('a disabled account keeps its keys; enabled again, they work again', async () => {
    const { body: user } = await create({ username: 'max' })
    const { token } = await login(server, { username: 'max', password })
    const key = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
      as: bearer(token),
      body: { name: 'organ' },
    })
    const as = { 'x-api-key': key.body.key }
    expect(await profileStatus(as)).toBe(200)
    const disabled = await change(user.id, { disabled: true })
    expect(disabled.body).toMatchObject({ disabled: true, disabled_at: expect.stringMatching(/Z$/) })
    expect((await change(user.id, { disabled: true })).body.disabled_at).toBe(disabled.body.disabled_at)
    expect(await profileStatus(as)).toBe(401)
    expect((await change(user.id, { disabled: false })).body).toMatchObject({
      disabled: false,
      disabled_at: null,
    })
    expect(await profileStatus(as)).toBe(200)
    // Earlier tokens stay revoked.
    expect(await profileStatus(bearer(token))).toBe(401)
  })
})

describe('deleting', () => {
  test('deletes everything of the account', async () => {
    const { body: user } = await create({ username: 'pauline' })
    const tokens = await login(server, { username: 'pauline', password })
    const session = await openSession(server, { username: 'pauline', password })
    expect(await profileStatus(bearer(tokens.token))).toBe(200)
    expect((await remove(user.id)).status).toBe(204)
    expect(await profileStatus(bearer(tokens.token))).toBe(401)
    expect(await profileStatus({ cookie: session.cookie })).toBe(401)
    expect((await remove(user.id)).status).toBe(404)
    const event = (await eventsOf(server, 'identity.account_deleted')).at(-1)
    expect(event).toMatchObject({ account: user.id, data: { by: claraId, username: 'pauline' } })
  })

  test('users cannot delete or disable themselves', async () => {
    expect((await remove(claraId)).status).toBe(409)
    const answer = await change<ErrorBody>(claraId, { disabled: true })
    expect(answer.status).toBe(409)
    expect(answer.body.error.message).toBe('You cannot disable your own account.')
    expect((await call(server, `DELETE /api/v1/users/${claraId.toUpperCase()}`, { as: admin })).status).toBe(
      404,
    )
  })
})
