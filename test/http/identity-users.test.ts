import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, call, type ErrorBody, type ListBody, login, type UserBody } from './identity-calls.ts'
import { addAccount, eventsOf, type IdentityServer, startIdentityServer } from './identity-server.ts'

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

describe('a new account', () => {
  test('has the given fields, and can sign in', async () => {
    const answer = await create({
      username: 'Robert Sch',
      email: 'robert@example.org',
      display_name: 'Robert Schumann',
      roles: ['author'],
      tier: 'enterprise',
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/api/v1/users/${answer.body.id}`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: 'Robert Sch',
      email: 'robert@example.org',
      display_name: 'Robert Schumann',
      roles: ['authenticated', 'author'],
      permissions: [
        'access content',
        'create recipe tours',
        'edit recipe tours',
        'export recipe tours',
        'run workflows',
        'view recipe tour analytics',
      ],
      tier: 'enterprise',
      created_at: expect.stringMatching(/Z$/),
      last_login_at: null,
      disabled: false,
      disabled_at: null,
    })
    expect((await login(server, { username: 'robert sch', password })).token).toMatch(/^ey/)
    const [event] = (await eventsOf(server, 'identity.account_created')).slice(-1)
    expect(event).toMatchObject({
      subject: answer.body.id,
      account: answer.body.id,
      data: { by: claraId, username: 'Robert Sch', roles: ['author'], tier: 'enterprise', ip: '127.0.0.1' },
    })
    expect(JSON.stringify(event)).not.toContain(password)
  })

  test('has defaults for omitted fields', async () => {
    expect((await create({ username: 'plain' })).body).toMatchObject({
      email: null,
      display_name: 'plain',
      roles: ['authenticated'],
      tier: 'professional',
    })
    expect((await create({ username: 'chief', roles: ['administrator'] })).body.tier).toBe('custom')
    expect((await create({ username: 'frugal', roles: ['administrator'], tier: 'basic' })).body.tier).toBe(
      'basic',
    )
  })

  test.each(['taken', 'TAKEN', 'ｔａｋｅｎ'])('is refused the taken name %s', async (username) => {
    await create({ username: 'taken' })
    const answer = await create<ErrorBody>({ username })
    expect(answer.status).toBe(409)
    expect(answer.body.error).toMatchObject({ code: 'conflict', problems: [{ path: 'username' }] })
  })

  test('of several concurrent requests for one name, one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ username: 'wanted' })))
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
      201, 409, 409, 409, 409, 409,
    ])
  })

  test.each([
    ['a name with a colon', { username: 'a:b' }, 'username'],
    ['a name that begins with a space', { username: ' a' }, 'username'],
    ['a name that is too long', { username: 'x'.repeat(65) }, 'username'],
    // Normalised, each of its letters becomes 18.
    ['a name that is too long when compared', { username: 'ﷺ'.repeat(10) }, 'username'],
    ['a name that is no text', { username: 7 }, 'username'],
    ['a short password', { password: 'short' }, 'password'],
    ['a password that is no text', { password: null }, 'password'],
    ['an invalid address', { email: 'invalid' }, 'email'],
    ['an address that is too long', { email: `${'x'.repeat(64)}@${'y'.repeat(190)}.org` }, 'email'],
    ['an empty display name', { display_name: '' }, 'display_name'],
    ['a blank display name', { display_name: '  ' }, 'display_name'],
    ['a display name of two lines', { display_name: 'a\nb' }, 'display_name'],
    ['a role that does not exist', { roles: ['author', 'conductor'] }, 'roles[1]'],
    ['the role of those without an account', { roles: ['anonymous'] }, 'roles[0]'],
    ['a tier that does not exist', { tier: 'gold' }, 'tier'],
    ['a field that does not exist', { admin: true }, 'admin'],
  ])('is refused with %s', async (_name, fields, path) => {
    const answer = await create<ErrorBody>({ username: 'refused', ...fields })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', problems: [{ path }] })
    expect(answer.body.error.message).toContain(path)
  })

  test('an unknown role is named', async () => {
    const answer = await create<ErrorBody>({ username: 'refused', roles: ['conductor'] })
    expect(answer.body.error.message).toContain('"conductor"')
  })

  test('needs a username and a password', async () => {
    const answer = await call(server, 'POST /api/v1/users', { as: admin, body: {} })
    expect(answer.body.error.problems).toMatchObject([{ path: 'username' }, { path: 'password' }])
  })
})

const read = async (query: string) =>
  (await call<ListBody<UserBody>>(server, `GET /api/v1/users?${query}`, { as: admin })).body.data

describe('the list', () => {
  test('is stable, paged, and searches name, email and display name', async () => {
    for (const [username, email, display_name] of [
      ['fanny', 'fanny@leipzig.example', 'Fanny Hensel'],
      ['felix', 'FELIX@leipzig.example', 'Felix M.'],
      ['hensel', null, 'W. H.'],
    ] as const) {
      await create({ username, email, display_name })
    }
    const all = await call<ListBody<UserBody>>(server, 'GET /api/v1/users?limit=200', { as: admin })
    expect(all.body.total).toBe(all.body.data.length)
    expect(all.body.data[0]?.username).toBe('clara')

    const search = async (text: string) => {
      const { body } = await call<ListBody<UserBody>>(
        server,
        `GET /api/v1/users?search=${encodeURIComponent(text)}` as const,
        { as: admin },
      )
      expect(body.total).toBe(body.data.length)
      return body.data.map(({ username }) => username)
    }
    expect(await search('HENSEL')).toEqual(['fanny', 'hensel'])
    expect(await search('felix@LEIPZIG')).toEqual(['felix'])
    expect(await search('%')).toEqual([])
    expect(await search("' or 1=1 --")).toEqual([])

    const first = await call<ListBody<UserBody>>(server, 'GET /api/v1/users?limit=2', { as: admin })
    await create({ username: 'latecomer' })
    const second = await call<ListBody<UserBody>>(server, 'GET /api/v1/users?limit=2&page=2', { as: admin })
    const paged = [...first.body.data, ...second.body.data].map(({ id }) => id)
    expect(paged).toEqual(all.body.data.slice(0, 4).map(({ id }) => id))
    expect(second.body.total).toBe(all.body.total + 1)
  })

  test('is sorted on all pages together, with missing values last', async () => {
    const byName = (await read('sort=username&limit=200')).map(({ username }) => username.toLowerCase())
    expect(byName).toEqual(byName.toSorted())
    const pages = [await read('sort=username&limit=2'), await read('sort=username&limit=2&page=2')].flat()
    expect(pages.map(({ username }) => username.toLowerCase())).toEqual(byName.slice(0, 4))
    const backwards = await read('sort=username&order=desc&limit=200')
    expect(backwards.map(({ username }) => username.toLowerCase())).toEqual(byName.toReversed())

    for (const order of ['asc', 'desc']) {
      const emails = (await read(`sort=email&order=${order}&limit=200`)).map(({ email }) => email)
      const known = emails.filter((email) => email !== null)
      expect(known.length).toBeGreaterThan(1)
      expect(emails.slice(0, known.length)).toEqual(known)
    }
    const signedIn = (await read('sort=last_login&order=desc&limit=200')).flatMap(
      ({ last_login_at: at }) => at ?? [],
    )
    expect(signedIn.length).toBeGreaterThan(1)
    expect(signedIn).toEqual(signedIn.toSorted().toReversed())
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'page=0',
    `search=${'x'.repeat(201)}`,
    'sort=password_hash',
    'order=up',
  ])('refuses %s', async (query) => {
    const answer = await call(server, `GET /api/v1/users?${query}`, { as: admin })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('invalid_request')
  })
})

describe('one account', () => {
  test('is read by its id', async () => {
    const answer = await call<UserBody>(server, `GET /api/v1/users/${claraId}`, { as: admin })
    expect(answer.body).toMatchObject({ username: 'clara', roles: ['administrator', 'authenticated'] })
  })

  test.each(['GET', 'PATCH', 'DELETE'] as const)('that does not exist is reported to %s', async (method) => {
    const gone = '00000000-0000-4000-8000-000000000000'
    const body = method === 'PATCH' ? { tier: 'basic' } : undefined
    const answer = await call(server, `${method} /api/v1/users/${gone}`, { as: admin, body })
    expect(answer.status).toBe(404)
    expect(answer.body.error.code).toBe('not_found')
  })

  test.each(['x', 'urn:uuid:00000000-0000-4000-8000-000000000000', '%00'])(
    'is not found by the id %s',
    async (id) => {
      const answer = await call(server, `GET /api/v1/users/${id}`, { as: admin })
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
    },
  )
})
