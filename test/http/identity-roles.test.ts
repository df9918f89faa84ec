import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissions } from '#identity'
import { bearer, call, type ErrorBody, type ListBody, login } from './identity-calls.ts'
import {
  addAccount,
  eventsOf,
  type IdentityServer,
  startIdentityServer,
  startIdentityServerOn,
} from './identity-server.ts'

interface Role {
  readonly name: string
  readonly label: string
  readonly permissions: readonly string[]
  readonly all_permissions: boolean
  readonly built_in: boolean
  readonly users: number
}

const clara = { username: 'clara', password: 'drei romanzen', roles: ['administrator'] }
const leo = { username: 'leo', password: 'mala vita 1892', roles: ['viewer'] }

let server: IdentityServer
let admin: { authorization: string }
let viewer: { authorization: string }

beforeAll(async () => {
  server = await startIdentityServer()
  await addAccount(server.database, clara)
  await addAccount(server.database, leo)
  admin = bearer((await login(server, clara)).token)
  viewer = bearer((await login(server, leo)).token)
})

afterAll(() => server[Symbol.asyncDispose]())

const create = <Body = Role>(body: unknown) => call<Body>(server, 'POST /api/v1/roles', { as: admin, body })

const change = <Body = Role>(name: string, body: unknown) =>
  call<Body>(server, `PATCH /api/v1/roles/${name}`, { as: admin, body })

const remove = (name: string) => call(server, `DELETE /api/v1/roles/${name}`, { as: admin })

async function listRoles(query = ''): Promise<ListBody<Role>> {
  return (await call<ListBody<Role>>(server, `GET /api/v1/roles${query}`, { as: admin })).body
}

async function statusOf(route: `GET /${string}`, as: Record<string, string> = {}): Promise<number> {
  return (await call(server, route, { as })).status
}

async function profileOf(as: { authorization: string }, on = server) {
  const { body } = await call<{ roles: string[]; permissions: string[] }>(on, 'GET /api/v1/user/profile', {
    as,
  })
  return body
}

describe('the list', () => {
  test('shows the permissions and the number of accounts of each role', async () => {
    const { data, total } = await listRoles()
    expect(total).toBe(data.length)
    const roles = new Map(data.map((role) => [role.name, role]))
    expect([...roles.keys()].sort()).toEqual([
      'administrator',
      'anonymous',
      'authenticated',
      'author',
      'viewer',
    ])
    expect(roles.get('administrator')).toEqual({
      name: 'administrator',
      label: 'Administrator',
      permissions: [...permissions].sort(),
      all_permissions: true,
      built_in: true,
      users: 1,
    })
    expect(roles.get('viewer')).toMatchObject({
      permissions: ['view recipe tour analytics', 'view workflow analytics'],
      all_permissions: false,
      users: 1,
    })
    expect(roles.get('authenticated')?.users).toBe(2)
    expect(roles.get('anonymous')?.users).toBe(0)
  })

  test('is paged', async () => {
    const [first, second] = [await listRoles('?limit=2'), await listRoles('?limit=2&page=2')]
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(
      (await listRoles()).data.slice(0, 4).map(({ name }) => name),
    )
  })
})

describe('a new role', () => {
  test('can be assigned, and exists once', async () => {
    const body = { name: 'conductor', label: 'Conductor', permissions: ['run workflows', 'access content'] }
    const answer = await create(body)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe('/api/v1/roles/conductor')
    const role = {
      name: 'conductor',
      label: 'Conductor',
      permissions: ['access content', 'run workflows'],
      all_permissions: false,
      built_in: false,
      users: 0,
    }
    expect(answer.body).toEqual(role)
    expect((await listRoles()).data).toContainEqual(role)
    expect((await eventsOf(server, 'identity.role_created')).at(-1)).toMatchObject({
      subject: 'conductor',
      account: null,
      data: { label: 'Conductor', permissions: role.permissions, by: expect.any(String) },
    })
    const again = await create<ErrorBody>({ ...body, label: 'Another' })
    expect(again.status).toBe(409)
    expect(again.body.error).toMatchObject({ code: 'conflict', problems: [{ path: 'name' }] })
  })

  test.each([
    ['a name in capitals', { name: 'Boss' }, 'name'],
    ['a name with a dash', { name: 'a-b' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(65) }, 'name'],
    ['no label', { label: ' ' }, 'label'],
    ['an unknown permission', { permissions: ['access content', 'fly'] }, 'permissions[1]'],
    ['a permission that is no text', { permissions: [1] }, 'permissions[0]'],
    ['every permission by a field of ours', { all_permissions: true }, 'all_permissions'],
  ])('is refused with %s', async (_name, fields, path) => {
    const answer = await create<ErrorBody>({ name: 'refused', label: 'Refused', permissions: [], ...fields })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', problems: [{ path }] })
  })

  test('an unknown permission is named', async () => {
    const answer = await create<ErrorBody>({ name: 'refused', label: 'R', permissions: ['fly'] })
    expect(answer.body.error.message).toContain('"fly"')
  })
})

describe('a changed role', () => {
  test('applies to its accounts at once, here and on another replica', async () => {
    await using replica = await startIdentityServerOn(server.database)
    const replicaKnows = async () => (await profileOf(viewer, replica)).permissions.includes('run workflows')
    await profileOf(viewer)
    expect(await replicaKnows()).toBe(false)
    const before = ['view recipe tour analytics', 'view workflow analytics']
    const changed = await change('viewer', { label: 'Watcher', permissions: [...before, 'run workflows'] })
    expect(changed.body).toMatchObject({
      label: 'Watcher',
      permissions: ['run workflows', ...before],
      users: 1,
    })
    expect((await profileOf(viewer)).permissions).toContain('run workflows')
    await expect.poll(replicaKnows).toBe(true)
    expect((await eventsOf(server, 'identity.role_changed')).at(-1)).toMatchObject({
      subject: 'viewer',
      data: { before, permissions: ['run workflows', ...before] },
    })
    expect((await change('viewer', { permissions: before })).body.label).toBe('Watcher')
    expect((await profileOf(viewer)).permissions).not.toContain('run workflows')
  })

  test('applies to routes that were open to the role a moment ago', async () => {
    await change('authenticated', { permissions: ['access content', 'administer users'] })
    expect(await statusOf('GET /api/v1/users', viewer)).toBe(200)
    await change('authenticated', { permissions: ['access content'] })
    expect(await statusOf('GET /api/v1/users', viewer)).toBe(403)
  })

  test('of anonymous callers applies, too', async () => {
    expect(await statusOf('GET /api/v1/content')).toBe(200)
    await change('anonymous', { permissions: [] })
    expect(await statusOf('GET /api/v1/content')).toBe(401)
    await change('anonymous', { permissions: ['access content'] })
    expect(await statusOf('GET /api/v1/content')).toBe(200)
  })

  test('of administrators changes nothing but the label', async () => {
    const refused = await change<ErrorBody>('administrator', { permissions: [] })
    expect(refused.status).toBe(409)
    expect(refused.body.error.code).toBe('conflict')
    expect((await change('administrator', { label: 'Chief' })).body).toMatchObject({
      label: 'Chief',
      all_permissions: true,
    })
  })

  test.each([
    ['nothing', {}],
    ['the name', { name: 'other' }],
    ['an unknown permission', { permissions: ['fly'] }],
  ])('of %s is refused', async (_name, body) => {
    expect((await change('viewer', body)).status).toBe(400)
  })

  test('that does not exist is reported', async () => {
    const answer = await change<ErrorBody>('unknown', { label: 'x' })
    expect(answer.status).toBe(404)
    expect(answer.body.error.message).toContain('"unknown"')
  })
})

describe('deleting', () => {
  test('removes the role from all its accounts', async () => {
    await create({ name: 'soloist', label: 'Soloist', permissions: ['run workflows'] })
    const carl = { username: 'carl', password: 'the anvil chorus', roles: ['soloist'] }
    await addAccount(server.database, carl)
    const as = bearer((await login(server, carl)).token)
    expect(await profileOf(as)).toMatchObject({ roles: ['authenticated', 'soloist'] })
    expect((await remove('soloist')).status).toBe(204)
    expect(await profileOf(as)).toMatchObject({ roles: ['authenticated'], permissions: ['access content'] })
    expect((await remove('soloist')).status).toBe(404)
    expect((await eventsOf(server, 'identity.role_deleted')).at(-1)).toMatchObject({
      subject: 'soloist',
      data: { users: 1, permissions: ['run workflows'] },
    })
  })

  test.each(['administrator', 'author', 'viewer', 'authenticated', 'anonymous'])('keeps %s', async (name) => {
    const answer = await remove(name)
    expect(answer.status).toBe(409)
    expect(answer.body.error.code).toBe('conflict')
  })
})

describe('descriptions', () => {
  test('every permission has a description', async () => {
    const { body } = await call<ListBody<{ name: string; about: string }>>(
      server,
      'GET /api/v1/permissions',
      {
        as: admin,
      },
    )
    expect(body.data.map(({ name }) => name)).toEqual([...permissions])
    expect(body.total).toBe(permissions.length)
    for (const { about } of body.data) expect(about).toMatch(/^[A-Z].*\.$/)
  })

  test('every signed-in account sees every scope, restricted or not', async () => {
    const restricted = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
      as: viewer,
      body: { name: 'r', scopes: ['models.read'] },
    })
    for (const as of [viewer, bearer(restricted.body.key)]) {
      const { status, body } = await call<ListBody<{ name: string; about: string; permissions: string[] }>>(
        server,
        'GET /api/v1/scopes',
        { as },
      )
      expect(status).toBe(200)
      expect(body.data).toContainEqual({
        name: 'workflows.run',
        about: expect.any(String),
        permissions: ['run workflows'],
      })
      expect(body.total).toBe(body.data.length)
    }
    expect((await call(server, 'GET /api/v1/scopes')).status).toBe(401)
  })
})

test.each([
  ['GET /api/v1/roles', undefined],
  ['POST /api/v1/roles', { name: 'forbidden', label: 'F', permissions: [] }],
  ['PATCH /api/v1/roles/viewer', { permissions: ['administer users'] }],
  ['DELETE /api/v1/roles/conductor', undefined],
  ['GET /api/v1/permissions', undefined],
] as const)('%s requires the permission for accounts', async (route, body) => {
  const restricted = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
    as: admin,
    body: { name: 'restricted', scopes: ['workflows.manage', 'tours.manage'] },
  })
  const answers = await Promise.all([
    call(server, route, { body }),
    call(server, route, { as: viewer, body }),
    call(server, route, { as: bearer(restricted.body.key), body }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([401, 403, 403])
})
