import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, browser, call, login } from './identity-calls.ts'
import {
  addAccount,
  basic,
  type IdentityServer,
  openSession,
  startIdentityServer,
  startIdentityServerOn,
} from './identity-server.ts'

const clara = { username: 'clara', password: 'drei romanzen', roles: ['administrator'] }
const password = 'frauenliebe und leben'

let server: IdentityServer
let admin: { authorization: string }
let viewer: { authorization: string }

beforeAll(async () => {
  server = await startIdentityServer()
  await addAccount(server.database, clara)
  admin = bearer((await login(server, clara)).token)
  const onlooker = { username: 'onlooker', password, roles: ['viewer'] }
  await addAccount(server.database, onlooker)
  viewer = bearer((await login(server, onlooker)).token)
})

afterAll(() => server[Symbol.asyncDispose]())

async function profileStatus(as: Record<string, string>, on = server): Promise<number> {
  return (await call(on, 'GET /api/v1/user/profile', { as })).status
}

describe('the last administrator', () => {
  test('cannot be deleted, disabled or demoted; a disabled one does not count', async () => {
    await using alone = await startIdentityServer()
    const lastId = await addAccount(alone.database, clara)
    const sleeping = await addAccount(alone.database, {
      username: 'sleeping',
      password,
      roles: ['administrator'],
    })
    await alone.database.query('update identity_users set disabled_at = now() where id = $1', [sleeping])
    await alone.database.query(
      `insert into identity_roles (name, label, permissions) values ('people', 'People', '{"administer users"}')`,
    )
    const helper = { username: 'helper', password, roles: ['people'] }
    await addAccount(alone.database, helper)
    const as = bearer((await login(alone, helper)).token)

    for (const answer of [
      await call(alone, `DELETE /api/v1/users/${lastId}`, { as }),
      await call(alone, `PATCH /api/v1/users/${lastId}`, { as, body: { disabled: true } }),
      await call(alone, `PATCH /api/v1/users/${lastId}`, { as, body: { roles: ['people'] } }),
    ]) {
      expect(answer.status).toBe(409)
      expect(answer.body.error.message).toContain('last administrator')
    }
    // Other changes are allowed.
    const renamed = await call(alone, `PATCH /api/v1/users/${lastId}`, {
      as,
      body: { username: 'Clara W.', roles: ['people', 'administrator'] },
    })
    expect(renamed.status).toBe(200)
    await call(alone, `PATCH /api/v1/users/${sleeping}`, { as, body: { disabled: false } })
    expect((await call(alone, `DELETE /api/v1/users/${lastId}`, { as })).status).toBe(204)
  })

  test.each([
    ['delete', { method: 'DELETE', body: undefined }],
    ['disable', { method: 'PATCH', body: { disabled: true } }],
    ['demote', { method: 'PATCH', body: { roles: [] } }],
  ] as const)('two who %s each other concurrently leave one', async (_name, { method, body }) => {
    await using alone = await startIdentityServer()
    await using replica = await startIdentityServerOn(alone.database)
    const one = { username: 'one', password, roles: ['administrator'] }
    const other = { ...one, username: 'other' }
    const [oneId, otherId] = [await addAccount(alone.database, one), await addAccount(alone.database, other)]
    const [byOne, byOther] = [await login(alone, one), await login(replica, other)]
    // Both credentials are cached, so that both requests reach the change.
    await profileStatus(bearer(byOne.token), alone)
    await profileStatus(bearer(byOther.token), replica)
    const answers = await Promise.all([
      call(alone, `${method} /api/v1/users/${otherId}`, { as: bearer(byOne.token), body }),
      call(replica, `${method} /api/v1/users/${oneId}`, { as: bearer(byOther.token), body }),
    ])
    expect(answers.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(1)
    const left = await alone.database.query(`
      select from identity_users as account
      join identity_user_roles as held on held.user_id = account.id and held.role = 'administrator'
      where account.disabled_at is null
    `)
    expect(left).toHaveLength(1)
  })
})

describe('access', () => {
  const routes = [
    ['GET /api/v1/users', undefined],
    ['POST /api/v1/users', { username: 'forbidden', password }],
    ['GET /api/v1/users/00000000-0000-4000-8000-000000000000', undefined],
    ['PATCH /api/v1/users/00000000-0000-4000-8000-000000000000', { tier: 'basic' }],
    ['DELETE /api/v1/users/00000000-0000-4000-8000-000000000000', undefined],
  ] as const

  test.each(routes)(
    '%s requires the permission for accounts, with any full credential',
    async (route, body) => {
      const restricted = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
        as: admin,
        body: { name: 'restricted', scopes: ['workflows.manage'] },
      })
      const refused = await Promise.all([
        call(server, route, { body }),
        call(server, route, { as: viewer, body }),
        call(server, route, { as: bearer(restricted.body.key), body }),
      ])
      expect(refused.map(({ status }) => status)).toEqual([401, 403, 403])
      expect(refused.map((answer) => answer.body.error.code)).toEqual([
        'authentication_required',
        'insufficient_scope',
        'insufficient_scope',
      ])

      const full = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
        as: admin,
        body: { name: 'full' },
      })
      const session = await openSession(server, clara)
      const allowed = await Promise.all(
        [admin, bearer(full.body.key), browser(session), basic('clara', clara.password)].map((as) =>
          call(server, route, { as, body }),
        ),
      )
      for (const { status } of allowed) expect([200, 201, 404, 409]).toContain(status)
    },
  )

  test('a write with the cookie requires its CSRF token', async () => {
    const session = await openSession(server, clara)
    const answer = await call(server, 'POST /api/v1/users', {
      as: { cookie: session.cookie },
      body: { username: 'forged', password },
    })
    expect(answer.body.error.code).toBe('invalid_csrf_token')
  })
})
