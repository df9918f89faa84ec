import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiKeyBody, bearer, call, type ErrorBody, type ListBody, login } from './identity-calls.ts'
import {
  addAccount,
  eventsOf,
  freshAddress,
  type IdentityServer,
  startIdentityServer,
  startIdentityServerOn,
  startIdentityServerWithClock,
} from './identity-server.ts'

const clara = { username: 'clara', password: 'drei romanzen', roles: ['administrator'] }
const ethel = { username: 'ethel', password: 'the wreckers 1906', roles: ['author'] }

let server: IdentityServer
let admin: { authorization: string }
let author: { authorization: string }
let ethelId: string

beforeAll(async () => {
  server = await startIdentityServer()
  await addAccount(server.database, clara)
  ethelId = await addAccount(server.database, ethel)
  admin = bearer((await login(server, clara)).token)
  author = bearer((await login(server, ethel)).token)
})

afterAll(() => server[Symbol.asyncDispose]())

const make = <Body = ApiKeyBody & { key: string }>(
  body: Record<string, unknown>,
  as: Record<string, string> = author,
) => call<Body>(server, 'POST /api/v1/api-keys', { as, body })

const revoke = (id: string, as: Record<string, string> = author) =>
  call(server, `DELETE /api/v1/api-keys/${id}`, { as })

async function list(query = '', as: Record<string, string> = author): Promise<ListBody<ApiKeyBody>> {
  return (await call<ListBody<ApiKeyBody>>(server, `GET /api/v1/api-keys${query}`, { as })).body
}

const content = (as: Record<string, string>, on = server) => call(on, 'GET /api/v1/content', { as })

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('a new key', () => {
  test('is shown once, and stored as a hash', async () => {
    const answer = await make({ name: 'Nightly build' })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/api/v1/api-keys/${answer.body.id}`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { key, ...record } = answer.body
    expect(key).toMatch(/^tk_[0-9A-Za-z]{40}$/)
    expect(record).toEqual({
      id: expect.any(String),
      name: 'Nightly build',
      prefix: key.slice(0, 8),
      scopes: null,
      user_id: ethelId,
      username: 'ethel',
      created_at: expect.stringMatching(/Z$/),
      expires_at: null,
      last_used_at: null,
      limits: null,
    })
    expect((await list()).data).toContainEqual(record)

    const everything = await server.database.query<{ text: string }>(`
      select to_jsonb(key)::text as text from identity_api_keys as key
      union all select data::text from kernel_events
    `)
    expect(JSON.stringify(everything)).not.toContain(key)
    expect((await eventsOf(server, 'identity.api_key_created')).at(-1)).toMatchObject({
      subject: record.id,
      account: ethelId,
      data: { by: ethelId, name: 'Nightly build', prefix: record.prefix, scopes: null, ip: '127.0.0.1' },
    })
  })

  test('works with both headers', async () => {
    const { key } = (await make({ name: 'doors' })).body
    for (const as of [bearer(key), { 'x-api-key': key }, { authorization: `bearer ${key}` }]) {
      const answer = await call<{ id: string; method: string; permissions: string[] }>(
        server,
        'GET /api/v1/content',
        { as },
      )
      expect(answer.body).toMatchObject({ id: ethelId, method: 'api_key' })
      expect(answer.body.permissions).toContain('run workflows')
    }
    const written = await call<{ written_by: string }>(server, 'POST /api/v1/content', {
      as: { 'x-api-key': key },
      body: {},
    })
    expect(written.body).toEqual({ written_by: 'ethel' })
  })

  test('limited to scopes has only their permissions', async () => {
    const { body } = await make({ name: 'limited', scopes: ['workflows.run', 'models.read', 'models.read'] })
    expect(body.scopes).toEqual(['workflows.run', 'models.read'])
    const as = bearer(body.key)
    const { body: seen } = await call<{ permissions: string[] }>(server, 'GET /api/v1/content', { as })
    expect([...seen.permissions].sort()).toEqual(['access content', 'run workflows'])
    for (const answer of [
      await call(server, 'POST /api/v1/content', { as, body: {} }),
      await make<ErrorBody>({ name: 'a wider one' }, as),
      await call(server, 'GET /api/v1/api-keys', { as }),
      await revoke(body.id, as),
      await call(server, 'GET /api/v1/sessions', { as }),
      await call(server, 'PATCH /api/v1/user/profile', { as, body: { display_name: 'x' } }),
      await call(server, 'POST /api/v1/user/password', {
        as,
        body: { current_password: ethel.password, new_password: 'another password' },
      }),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.body.error.code).toBe('insufficient_scope')
      expect(answer.headers.get('www-authenticate')).toContain('insufficient_scope')
    }
    expect((await call(server, 'GET /api/v1/user/profile', { as })).status).toBe(200)
  })

  test('of an administrator, limited to scopes, cannot administer accounts', async () => {
    const { body } = await make({ name: 'limited', scopes: ['workflows.manage'] }, admin)
    expect((await call(server, 'GET /api/v1/users', { as: bearer(body.key) })).status).toBe(403)
  })

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(101) }, 'name'],
    ['no scope in its list', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['models.read', 'models.destroy'] }, 'scopes[1]'],
    ['scopes that are no list', { scopes: 'models.read' }, 'scopes'],
    ['a time that is past', { expires_at: inDays(-1) }, 'expires_at'],
    ['a time too far ahead', { expires_at: inDays(3660) }, 'expires_at'],
    ['a time that is none', { expires_at: 'tomorrow' }, 'expires_at'],
    ['a time that does not exist', { expires_at: '2030-12-31T23:59:60Z' }, 'expires_at'],
    ['an owner', { user_id: '00000000-0000-4000-8000-000000000000' }, 'user_id'],
    ['a key of its own choosing', { key: 'tk_mine' }, 'key'],
  ])('is refused with %s', async (_name, fields, path) => {
    const answer = await make<ErrorBody>({ name: 'refused', ...fields })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', problems: [{ path }] })
  })

  test('an unknown scope is named', async () => {
    const answer = await make<ErrorBody>({ name: 'refused', scopes: ['models.destroy'] })
    expect(answer.body.error.message).toContain('"models.destroy"')
  })

  test('null equals an omitted field', async () => {
    const { status, body } = await make({ name: 'nulls', scopes: null, expires_at: null })
    expect([status, body.scopes, body.expires_at]).toEqual([201, null, null])
  })

  test('may have an expiry', async () => {
    const expiresAt = inDays(3650)
    const { body } = await make({ name: 'ends', expires_at: expiresAt })
    expect(body.expires_at).toBe(expiresAt)
    expect((await content(bearer(body.key))).status).toBe(200)
    await server.database.query(`update identity_api_keys set expires_at = now() where id = $1`, [body.id])
    await expect.poll(async () => (await content(bearer(body.key))).status).toBe(401)
    const refused = await content(bearer(body.key))
    expect(refused.body.error).toMatchObject({
      code: 'invalid_api_key',
      message: 'This API key has expired.',
    })
    expect(refused.headers.get('www-authenticate')).toContain('Bearer')
  })

  test('that expires while it is in use is refused from then on', async () => {
    await using apart = await startIdentityServerWithClock()
    await addAccount(apart.database, ethel)
    const as = bearer((await login(apart, ethel)).token)
    const given = { name: 'soon', expires_at: inDays(1) }
    const { body } = await call<{ key: string }>(apart, 'POST /api/v1/api-keys', { as, body: given })
    expect((await content(bearer(body.key), apart)).status).toBe(200)
    apart.advance(25 * 3_600_000)
    expect((await content(bearer(body.key), apart)).status).toBe(401)
  })

  test('is refused above one hundred for an account, also concurrently', async () => {
    const many = { username: 'hoarder', password: 'more and more keys' }
    await addAccount(server.database, many)
    const as = bearer((await login(server, many)).token)
    await server.database.query(`
      insert into identity_api_keys (user_id, name, prefix, key_hash, revoked_at, expires_at)
      select id, 'k', 'tk_', sha256(convert_to('hoarder ' || number, 'utf8')),
        case when number = 100 then now() end, case when number = 101 then now() end
      from identity_users, generate_series(1, 101) as number
      where username = 'hoarder'
    `)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => make<ErrorBody>({ name: `k${n}` }, as)))
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
      201, 409, 409, 409,
    ])
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('conflict')
  })
})

describe('the list', () => {
  test('contains own keys, in pages, the oldest first', async () => {
    const orla = { username: 'orla', password: 'keys in order' }
    await addAccount(server.database, orla)
    const as = bearer((await login(server, orla)).token)
    for (const name of ['one', 'two', 'three']) await make({ name }, as)
    expect((await list('', as)).data.map(({ name }) => name)).toEqual(['one', 'two', 'three'])
    const second = await list('?limit=2&page=2', as)
    expect([second.total, second.data.map(({ name }) => name)]).toEqual([3, ['three']])
  })

  test('of all accounts requires administrators', async () => {
    const [all, hers] = [await list('?owner=all&limit=200', admin), await list('?owner=me', admin)]
    expect(all.data.map(({ username }) => username)).toContain('ethel')
    expect(new Set(hers.data.map(({ username }) => username))).toEqual(new Set(['clara']))
    const refused = await call(server, 'GET /api/v1/api-keys?owner=all', { as: author })
    expect(refused.status).toBe(403)
    expect(refused.body.error.message).toContain('administer users')
    expect((await call(server, 'GET /api/v1/api-keys?owner=them', { as: author })).status).toBe(400)
  })

  test('requires a credential', async () => {
    for (const route of ['GET /api/v1/api-keys', 'POST /api/v1/api-keys'] as const) {
      const answer = await call(server, route, { body: route.startsWith('P') ? { name: 'x' } : undefined })
      expect(answer.body.error.code).toBe('authentication_required')
    }
  })
})

describe('revoking', () => {
  test('applies at once, here and on another replica', async () => {
    await using replica = await startIdentityServerOn(server.database)
    const { body } = await make({ name: 'short life' })
    expect((await content(bearer(body.key))).status).toBe(200)
    expect((await content({ 'x-api-key': body.key }, replica)).status).toBe(200)
    expect((await revoke(body.id)).status).toBe(204)
    const refused = await content(bearer(body.key))
    expect([refused.status, refused.body.error.code]).toEqual([401, 'invalid_api_key'])
    await expect.poll(async () => (await content({ 'x-api-key': body.key }, replica)).status).toBe(401)

    expect((await list()).data.map(({ id }) => id)).not.toContain(body.id)
    expect((await revoke(body.id)).status).toBe(404)
    expect((await eventsOf(server, 'identity.api_key_revoked')).at(-1)).toMatchObject({
      subject: body.id,
      account: ethelId,
      data: { by: ethelId, name: 'short life', prefix: body.prefix },
    })
  })

  test('is allowed to its owner and to administrators', async () => {
    const { body: hers } = await make({ name: 'hers' }, admin)
    expect((await revoke(hers.id)).status).toBe(404)
    expect((await content(bearer(hers.key))).status).toBe(200)

    const { body: his } = await make({ name: 'his' })
    expect((await revoke(his.id, admin)).status).toBe(204)
    expect((await content(bearer(his.key))).status).toBe(401)
    expect((await eventsOf(server, 'identity.api_key_revoked')).at(-1)?.data['by']).toBe(hers.user_id)
  })

  test('a key may revoke itself', async () => {
    const { body } = await make({ name: 'self' })
    expect((await revoke(body.id, bearer(body.key))).status).toBe(204)
    expect((await content(bearer(body.key))).status).toBe(401)
  })

  test('a client may send a content type without a body', async () => {
    const { body } = await make({ name: 'typed' })
    expect((await revoke(body.id, { ...author, 'content-type': 'application/json' })).status).toBe(204)
  })

  test.each(['nope', '00000000-0000-4000-8000-00000000000g'])('%s is the id of no key', async (id) => {
    expect((await revoke(id)).status).toBe(404)
  })
})

test('the last use of a key is stored', async () => {
  const { body } = await make({ name: 'noted' })
  const before = Date.now()
  await content(bearer(body.key))
  const lastUse = async () => (await list('?limit=200')).data.find(({ id }) => id === body.id)?.last_used_at
  await expect.poll(lastUse).not.toBeNull()
  expect(Date.parse((await lastUse()) ?? '')).toBeGreaterThan(before - 60_000)
})

test('long revoked keys are deleted, the others stay', async () => {
  const [old, recent] = [await make({ name: 'old' }), await make({ name: 'recent' })]
  for (const { body } of [old, recent]) await revoke(body.id)
  await server.database.query(
    `update identity_api_keys set revoked_at = now() - interval '31 days' where id = $1`,
    [old.body.id],
  )
  await server.identity.cleanUp.run()
  const kept = await server.database.query<{ id: string }>(
    'select id from identity_api_keys where id = any($1::uuid[])',
    [[old.body.id, recent.body.id]],
  )
  expect(kept).toEqual([{ id: recent.body.id }])
})

test.each(['tk_', `tk_${'A'.repeat(40)}`, 'tk_x', `tk_${'x'.repeat(9000)}`])(
  'a malformed key is refused: %.20s',
  async (key) => {
    for (const as of [bearer(key), { 'x-api-key': key }]) {
      const answer = await content({ ...as, 'x-forwarded-for': freshAddress() })
      expect(answer.status).toBe(401)
    }
  },
)
