import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, call, type ListBody, login } from './identity-calls.ts'
import {
  addAccount,
  freshAddress,
  type IdentityServer,
  signIn,
  startIdentityServer,
} from './identity-server.ts'

interface Entry {
  readonly id: number
  readonly type: string
  readonly account: string | null
  readonly username: string | null
  readonly by: string | null
  readonly by_username: string | null
  readonly subject: string | null
  readonly ip: string | null
  readonly user_agent: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly created_at: string
}

const clara = { username: 'clara', password: 'drei romanzen', roles: ['administrator'] }
const hugo = { username: 'hugo', password: 'italian serenade', roles: ['viewer'] }

let server: IdentityServer
let admin: { authorization: string }
let claraId: string
let hugoId: string

beforeAll(async () => {
  server = await startIdentityServer()
  claraId = await addAccount(server.database, clara)
  hugoId = await addAccount(server.database, hugo)
  admin = bearer((await login(server, clara)).token)
})

afterAll(() => server[Symbol.asyncDispose]())

async function read(query = ''): Promise<ListBody<Entry>> {
  const { status, body } = await call<ListBody<Entry>>(server, `GET /api/v1/audit${query}`, { as: admin })
  expect(status).toBe(200)
  return body
}

test('lists the newest first, with names and origin', async () => {
  const ip = freshAddress()
  await signIn(server, hugo, { ip, headers: { 'user-agent': 'Opera 1887' } })
  await call(server, `PATCH /api/v1/users/${hugoId}`, { as: admin, body: { tier: 'basic' } })
  const { data, total } = await read('?limit=2')
  expect(total).toBeGreaterThan(2)
  expect(data).toEqual([
    {
      id: expect.any(Number),
      type: 'identity.account_changed',
      account: hugoId,
      username: 'hugo',
      by: claraId,
      by_username: 'clara',
      subject: hugoId,
      ip: '127.0.0.1',
      user_agent: 'node',
      data: { changed: ['tier'], tier: 'basic' },
      created_at: expect.stringMatching(/Z$/),
    },
    {
      id: expect.any(Number),
      type: 'identity.signed_in',
      account: hugoId,
      username: 'hugo',
      by: null,
      by_username: null,
      subject: hugoId,
      ip,
      user_agent: 'Opera 1887',
      data: { method: 'session' },
      created_at: expect.stringMatching(/Z$/),
    },
  ])
})

test('lists failures without the typed name', async () => {
  await signIn(server, { username: 'my secret password', password: 'x' })
  const { data } = await read('?limit=1&type=identity.sign_in_failed')
  expect(data).toMatchObject([
    { account: null, username: null, data: { reason: 'unknown_user', method: 'session' } },
  ])
  expect(JSON.stringify(data)).not.toContain('my secret password')
})

test('is paged without a gap or a repeat', async () => {
  for (let round = 0; round < 5; round += 1) await signIn(server, hugo)
  const all = await read('?limit=200')
  expect(all.total).toBe(all.data.length)
  const seen: number[] = []
  for (let before = ''; ; before = `&before=${seen.at(-1)}`) {
    const { data } = await read(`?limit=3${before}`)
    if (data.length === 0) break
    seen.push(...data.map(({ id }) => id))
  }
  expect(seen).toEqual(all.data.map(({ id }) => id))
})

test('is filtered by type, account, or both', async () => {
  await call(server, 'POST /api/v1/api-keys', { as: admin, body: { name: 'k' } })
  const { data: keys, total } = await read('?type=identity.api_key_created')
  expect(total).toBe(keys.length)
  expect(new Set(keys.map(({ type }) => type))).toEqual(new Set(['identity.api_key_created']))

  const { data: his } = await read(`?account=${hugoId}`)
  expect(new Set(his.map(({ account }) => account))).toEqual(new Set([hugoId]))
  const { data: both } = await read(`?account=${hugoId}&type=identity.api_key_created`)
  expect(both).toEqual([])
})

test('keeps the entries of a deleted account', async () => {
  const gone = { username: 'gone', password: 'farewell symphony' }
  const id = await addAccount(server.database, gone)
  await login(server, gone)
  await call(server, `DELETE /api/v1/users/${id}`, { as: admin })
  const { data } = await read(`?account=${id}`)
  expect(data.map(({ type, username }) => [type, username])).toEqual([
    ['identity.account_deleted', null],
    ['identity.signed_in', null],
  ])
  expect(data[0]?.data).toEqual({ username: 'gone' })
})

test('contains only security events', async () => {
  await server.events.append({ type: 'execution.started', subject: hugoId, account: hugoId, data: {} })
  const { data } = await read('?limit=200')
  expect(data.filter(({ type }) => !type.startsWith('identity.'))).toEqual([])
})

describe('access to the audit log', () => {
  test('requires the permission for accounts, with a full credential', async () => {
    const viewer = bearer((await login(server, hugo)).token)
    const restricted = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
      as: admin,
      body: { name: 'r', scopes: ['workflows.manage'] },
    })
    const answers = await Promise.all([
      call(server, 'GET /api/v1/audit'),
      call(server, 'GET /api/v1/audit', { as: viewer }),
      call(server, 'GET /api/v1/audit', { as: bearer(restricted.body.key) }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403])
  })

  test.each([
    'limit=0',
    'limit=201',
    'before=0',
    'before=x',
    'type=execution.started',
    'account=hugo',
    'account=urn:uuid:00000000-0000-4000-8000-000000000000',
  ])('%s is refused', async (query) => {
    const answer = await call(server, `GET /api/v1/audit?${query}`, { as: admin })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('invalid_request')
  })
})
