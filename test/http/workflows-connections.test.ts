import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallOptions } from '../support/calls.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'

let server: WorkflowsServer

beforeAll(async () => {
  server = await startWorkflowsServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const put = (path: string, body: unknown, how: CallOptions = {}) =>
  server.call(path, { ...how, method: 'PUT', body })
const remove = (path: string, how: CallOptions = {}) => server.call(path, { ...how, method: 'DELETE' })
const value = randomBytes(20).toString('hex')
const allowed_hosts = ['api.example.com']
const as = (name: string): CallOptions => ({ as: name })

const callTo = (url: string) => [{ id: 'call', type: 'external_api', api: { url } }]

const bearer = (more: object = {}) => ({
  name: 'shop',
  kind: 'bearer',
  credentials: { token: value },
  allowed_hosts: ['api.example.com'],
  ...more,
})

beforeEach(async () => {
  await server.database.query('delete from connections')
})

describe('secrets', () => {
  test('one is added, listed, changed and deleted, and its value is never returned', async () => {
    const added = await server.post('/secrets', { name: 'github', value, allowed_hosts: ['API.github.com'] })
    expect(added.status).toBe(201)
    expect(added.headers.get('location')).toBe('/ai-workflows/api/secrets/github')
    expect(added.body).toEqual({
      name: 'github',
      allowed_hosts: ['api.github.com'],
      shared: false,
      own: true,
      revision: 1,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
      used_at: null,
    })
    const listed = await server.call('/secrets')
    expect(listed.body).toEqual({ secrets: [added.body], total: 1 })
    const changed = await put('/secrets/github', { value: 'another value' })
    expect(changed.body).toMatchObject({ revision: 2, allowed_hosts: ['api.github.com'] })
    const read = await server.call('/secrets/github')
    expect(read.body).toEqual({ ...changed.body, used_by: [] })
    expect([added, listed, changed, read].map(({ text }) => text).join()).not.toContain(value)
    expect(await remove('/secrets/github')).toMatchObject({
      status: 200,
      body: { success: true, name: 'github', status: 'deleted' },
    })
    expect(await server.call('/secrets/github')).toMatchObject({
      status: 404,
      body: { error: { code: 'SECRET_NOT_FOUND', details: { name: 'github' } } },
    })
  })

  test('the database has only the encrypted value', async () => {
    await server.post('/secrets', { name: 'plain', value, allowed_hosts })
    const rows = await server.database.query('select * from connections')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(value)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(value).toString('base64').slice(2, 20))
  })

  test('another account sees it only when it is shared, and cannot change it', async () => {
    await server.post('/secrets', { name: 'mine', value, allowed_hosts })
    const shared = { name: 'team', value, allowed_hosts: ['api.example.com'], shared: true }
    expect(await server.post('/secrets', shared, as('mara'))).toMatchObject({ status: 201 })
    expect((await server.call('/secrets', as('otto'))).body.secrets).toMatchObject([
      { name: 'team', shared: true, own: false },
    ])
    expect((await server.call('/secrets')).body.total).toBe(2)
    expect((await server.call('/secrets/mine', as('otto'))).status).toBe(404)
    for (const answer of [
      await put('/secrets/mine', { value: 'x'.repeat(8) }, as('otto')),
      await remove('/secrets/mine', as('otto')),
      await remove('/secrets/team', as('otto')),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'SECRET_NOT_FOUND' } } })
    }
    expect((await put('/secrets/team', { allowed_hosts }, as('otto'))).status).toBe(403)
  })

  test('sharing needs the permission to manage workflows, a host, and a name that no shared one has', async () => {
    const shared = { name: 'team', value, allowed_hosts: ['api.example.com'], shared: true }
    expect(await server.post('/secrets', shared)).toMatchObject({
      status: 403,
      body: { error: { code: 'PERMISSION_DENIED' } },
    })
    expect(await server.post('/secrets', { ...shared, allowed_hosts: [] }, as('mara'))).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED', details: { problems: [{ path: 'allowed_hosts' }] } } },
    })
    expect((await server.post('/secrets', shared, as('mara'))).status).toBe(201)
    expect(await server.post('/secrets', { ...shared, shared: false })).toMatchObject({ status: 201 })
  })

  test('a name is free once per account, for secrets and connections together', async () => {
    expect((await server.post('/secrets', { name: 'shop', value, allowed_hosts })).status).toBe(201)
    for (const again of [
      await server.post('/secrets', { name: 'shop', value, allowed_hosts }),
      await server.post('/connections', bearer()),
    ]) {
      expect(again).toMatchObject({
        status: 409,
        body: { error: { code: 'CONFLICT', details: { name: 'shop' } } },
      })
    }
    expect((await server.post('/secrets', { name: 'shop', value, allowed_hosts }, as('otto'))).status).toBe(
      201,
    )
  })

  test.each([
    [{ name: 'Upper', value, allowed_hosts }, 'name'],
    [{ name: '1a', value, allowed_hosts }, 'name'],
    [{ name: 'a', value: 'tooshrt', allowed_hosts }, 'value'],
    [{ name: 'a', value: 'x'.repeat(16_385), allowed_hosts }, 'value'],
    [{ name: 'a', value: `${'ü'.repeat(8192)}x`, allowed_hosts }, 'value'],
    [{ name: 'a', value: 'ends with a line break\n', allowed_hosts }, 'value'],
    [{ name: 'a', value: 'has a \0 in the middle', allowed_hosts }, 'value'],
    [{ name: 'a', value, allowed_hosts: ['ok.example', 'ftp://example.com'] }, 'allowed_hosts[1]'],
  ])('%# is refused with the field and without the value', async (body, path) => {
    const refused = await server.post('/secrets', body)
    expect(refused.status).toBe(400)
    expect(refused.body.error.details.problems[0].path).toBe(path)
    expect(refused.text).not.toContain(body.value)
  })

  test('a further host needs the value again, fewer hosts do not', async () => {
    await server.post('/secrets', { name: 'a', value, allowed_hosts: ['one.example', 'two.example'] })
    for (const further of [['evil.example'], ['one.example', 'evil.example']]) {
      expect(await put('/secrets/a', { allowed_hosts: further })).toMatchObject({
        status: 400,
        body: { error: { details: { problems: [{ path: 'value', code: 'required' }] } } },
      })
    }
    expect((await put('/secrets/a', { allowed_hosts: ['two.example'] })).status).toBe(200)
    expect((await put('/secrets/a', { allowed_hosts: ['new.example'], value })).status).toBe(200)
  })

  test('an account has at most 200', async () => {
    await server.database.query(
      `insert into connections (id, account_id, kind, name, encrypted)
       select gen_random_uuid(), $1, 'secret', 'a' || number, 'x' from generate_series(1, 200) as number`,
      [server.idOf('nora')],
    )
    expect(await server.post('/secrets', { name: 'more', value, allowed_hosts })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { limit: 200 } } },
    })
    expect((await server.post('/secrets', { name: 'more', value, allowed_hosts }, as('otto'))).status).toBe(
      201,
    )
    const page = await server.call('/secrets?limit=50&page=4')
    expect(page.body.secrets).toHaveLength(50)
    expect(page.body.total).toBe(200)
  })

  test('it is deleted with its account', async () => {
    await server.post('/secrets', { name: 'a', value, allowed_hosts })
    await using other = await startWorkflowsServer()
    await other.post('/secrets', { name: 'a', value, allowed_hosts })
    await other.database.query('delete from identity_users where id = $1', [other.idOf('nora')])
    expect(await other.database.query('select * from connections')).toEqual([])
  })

  test('flows that name it are listed', async () => {
    await server.post('/secrets', { name: 'key', value, allowed_hosts })
    const used = await server.save(callTo('https://api.example.com/?key={{ secrets.key }}'))
    await server.save(callTo('https://api.example.com/?key={{secrets.key_two}}'))
    expect((await server.call('/secrets/key')).body.used_by).toEqual([{ flow_id: used, label: 'A test' }])
  })
})

test('each change is an event of the audit log, without values', async () => {
  const before = await server.events.lastId()
  await server.post('/secrets', { name: 'a', value, allowed_hosts })
  await put('/secrets/a', { value: `${value}2`, allowed_hosts: ['one.example'] })
  await remove('/secrets/a')
  const { events } = await server.events.read({
    after: before,
    limit: 10,
    types: ['connections.added', 'connections.changed', 'connections.removed'],
  })
  expect(events.map(({ type }) => type)).toEqual([
    'connections.added',
    'connections.changed',
    'connections.removed',
  ])
  expect(events[1]?.data).toMatchObject({
    name: 'a',
    kind: 'secret',
    allowed_hosts: ['one.example'],
    changed: ['value', 'allowed_hosts'],
    by: server.idOf('nora'),
  })
  expect(JSON.stringify(events)).not.toContain(value)
})

test('an account that may not run workflows has no access, nor has an anonymous caller', async () => {
  expect((await server.call('/secrets', as('vera'))).status).toBe(403)
  expect((await server.call('/connections', as(''))).status).toBe(401)
  expect((await server.post('/secrets', { name: 'a', value, allowed_hosts }, as('vera'))).status).toBe(403)
})

describe('connections', () => {
  test('one is added, read and changed, and its credentials are never returned', async () => {
    const added = await server.post('/connections', {
      name: 'crm',
      kind: 'oauth2_client_credentials',
      settings: {
        token_url: 'https://login.example.com/token',
        client_id: 'tutti',
        scopes: ['read', 'write'],
      },
      credentials: { client_secret: value },
      allowed_hosts: ['*.crm.example'],
    })
    expect(added).toMatchObject({
      status: 201,
      body: {
        name: 'crm',
        kind: 'oauth2_client_credentials',
        settings: {
          token_url: 'https://login.example.com/token',
          client_id: 'tutti',
          scopes: ['read', 'write'],
        },
        allowed_hosts: ['*.crm.example'],
      },
    })
    const settings = { token_url: 'https://login.example.com/v2/token', client_id: 'tutti' }
    const changed = await put('/connections/crm', { settings })
    expect(changed.body).toMatchObject({ settings, revision: 2 })
    expect((await server.call('/connections')).body.connections).toEqual([changed.body])
    expect((await server.call('/secrets')).body.total).toBe(0)
    const moved = await put('/connections/crm', {
      settings: { ...settings, token_url: 'https://evil.example/token' },
    })
    expect(moved).toMatchObject({
      status: 400,
      body: { error: { details: { problems: [{ path: 'credentials', code: 'required' }] } } },
    })
    expect(added.text + changed.text + moved.text).not.toContain(value)
  })

  test.each([
    [bearer({ kind: 'basic' }), 'settings.username'],
    [bearer({ settings: { username: 'a' } }), 'settings.username'],
    [bearer({ credentials: { password: value } }), 'credentials.password'],
    [bearer({ credentials: { token: 'short' } }), 'credentials.token'],
    [bearer({ allowed_hosts: [] }), 'allowed_hosts'],
    [
      bearer({ kind: 'api_key', settings: { in: 'header', name: 'a b' }, credentials: { key: value } }),
      'settings.name',
    ],
    [
      bearer({
        kind: 'oauth2_client_credentials',
        settings: { token_url: 'ftp://a.example', client_id: 'a' },
        credentials: { client_secret: value },
      }),
      'settings.token_url',
    ],
  ])('%# is refused with the field', async (body, path) => {
    const refused = await server.post('/connections', body)
    expect(refused.status).toBe(400)
    expect(refused.body.error.details.problems.map((problem: { path: string }) => problem.path)).toContain(
      path,
    )
    expect(refused.text).not.toContain(value)
  })
})

describe('the test of a connection', () => {
  const requests: IncomingMessage[] = []
  const api = createServer((request, response) => {
    requests.push(request)
    const isToken = request.url === '/token'
    const wanted = createHash('sha256').update(value).digest('hex')
    const given = createHash('sha256')
      .update((request.headers.authorization ?? '').replace('Bearer ', ''))
      .digest('hex')
    const isKnown = given === wanted || request.headers.authorization === 'Bearer issued-token'
    response.writeHead(isToken || isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(isToken ? '{"access_token":"issued-token","token_type":"Bearer","expires_in":3600}' : '{}')
  })
  let host: string

  beforeAll(async () => {
    api.listen(0, '127.0.0.1')
    await once(api, 'listening')
    host = `127.0.0.1:${(api.address() as AddressInfo).port}`
  })
  afterAll(() => void api.close())

  test('says whether the host takes the credentials', async () => {
    await server.post('/connections', bearer({ allowed_hosts: [`http://${host}`] }))
    expect((await server.post('/connections/shop/test', { url: `http://${host}/me` })).body).toEqual({
      success: true,
      status: 200,
      problem: null,
    })
    await put('/connections/shop', { credentials: { token: 'not the right one' } })
    expect((await server.post('/connections/shop/test', { url: `http://${host}/me` })).body).toEqual({
      success: false,
      status: 401,
      problem: 'The host refused the credentials with status 401.',
    })
  })

  test('requests a token first', async () => {
    await server.post('/connections', {
      name: 'crm',
      kind: 'oauth2_client_credentials',
      settings: { token_url: `http://${host}/token`, client_id: 'tutti' },
      credentials: { client_secret: value },
      allowed_hosts: [`http://${host}`],
    })
    requests.length = 0
    const tested = await server.post('/connections/crm/test', { url: `http://${host}/me` })
    expect(tested.body).toMatchObject({ success: true, status: 200 })
    expect(requests.map(({ url }) => url)).toEqual(['/token', '/me'])
    expect(requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from(`tutti:${value}`).toString('base64')}`,
    )
  })

  test('never calls another host, nor an address of the own network', async () => {
    await server.post('/connections', bearer({ allowed_hosts: ['10.0.0.1'] }))
    expect(await server.post('/connections/shop/test', { url: 'http://evil.example/' })).toMatchObject({
      status: 400,
      body: { error: { details: { problems: [{ path: 'url' }] } } },
    })
    const refused = await server.post('/connections/shop/test')
    expect(refused).toMatchObject({ status: 200, body: { success: false, status: null } })
    expect((await server.post('/connections/none/test')).body.error.code).toBe('CONNECTION_NOT_FOUND')
  })
})
