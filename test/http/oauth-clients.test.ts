import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCode, eventsOf, type IdentityServer, startIdentityServer } from './identity-server.ts'
import {
  addPerson,
  callAs,
  getClientToken,
  getTokens,
  refresh,
  registerClient,
  tokensOf,
  worksAt,
} from './oauth-support.ts'
import type { Person } from './oauth-visitor.ts'

let server: IdentityServer
let admin: Person
beforeAll(async () => {
  server = await startIdentityServer()
  admin = await addPerson(server, { username: 'admin', roles: ['administrator'] })
})
afterAll(() => server[Symbol.asyncDispose]())

const path = '/api/v1/oauth-clients'

interface Page {
  readonly data: readonly { readonly client_id: string; readonly username: string }[]
  readonly total: number
}

async function list(person: Person, query = ''): Promise<Page> {
  return (await (await callAs(server, person, 'GET', `${path}${query}`)).json()) as Page
}

describe('a client', () => {
  test('is registered with a secret that is shown once', async () => {
    const owner = await addPerson(server)
    const answer = await callAs(server, owner, 'POST', path, {
      name: 'Score reader',
      redirect_uris: ['https://app.example/callback'],
      scopes: ['models.read'],
      grant_types: ['authorization_code'],
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { client_secret, ...told } = (await answer.json()) as Record<string, unknown>
    expect(client_secret).toMatch(/^tcs_[\w-]{43}$/)
    expect(told).toEqual({
      client_id: expect.stringMatching(/^tutti-[0-9a-f]{24}$/) as string,
      name: 'Score reader',
      redirect_uris: ['https://app.example/callback'],
      scopes: ['models.read'],
      grant_types: ['authorization_code', 'refresh_token'],
      public: false,
      user_id: owner.id,
      username: owner.username,
      created_at: expect.any(String) as string,
      last_used_at: null,
    })
    const at = answer.headers.get('location') ?? ''
    expect(await (await callAs(server, owner, 'GET', at)).json()).toEqual(told)
    expect(await list(owner)).toEqual({ data: [told], total: 1 })
    const [event] = (await eventsOf(server, 'identity.oauth_client_created')).slice(-1)
    expect(event).toMatchObject({ subject: told['client_id'], account: owner.id, data: { by: owner.id } })
    expect(JSON.stringify(event)).not.toContain(client_secret)
  })

  test('that is public has no secret', async () => {
    const owner = await addPerson(server)
    const answer = await callAs(server, owner, 'POST', path, {
      name: 'Pocket score',
      redirect_uris: ['com.example.app:/signed-in', 'http://127.0.0.1:4000/callback'],
      scopes: ['models.read'],
      grant_types: ['authorization_code', 'refresh_token'],
      public: true,
    })
    expect(answer.status).toBe(201)
    const told = (await answer.json()) as Record<string, unknown>
    expect(told['public']).toBe(true)
    expect(told).not.toHaveProperty('client_secret')
    const again = await callAs(server, owner, 'POST', `${path}/${String(told['client_id'])}/secret`)
    expect(again.status).toBe(409)
  })

  const valid = {
    name: 'Score reader',
    redirect_uris: ['https://app.example/callback'],
    scopes: ['models.read'],
    grant_types: ['authorization_code'],
  }
  test.each<[string, unknown, string]>([
    ['without a name', { ...valid, name: undefined }, 'name'],
    ['with a blank name', { ...valid, name: '  ' }, 'name'],
    ['with a name of two lines', { ...valid, name: 'a\nb' }, 'name'],
    ['with a name of 101 letters', { ...valid, name: 'x'.repeat(101) }, 'name'],
    ['without scopes', { ...valid, scopes: [] }, 'scopes'],
    ['with an unknown scope', { ...valid, scopes: ['world.rule'] }, 'scopes[0]'],
    ['with an unknown grant type', { ...valid, grant_types: ['password'] }, 'grant_types[0]'],
    ['without an address for codes', { ...valid, redirect_uris: [] }, 'redirect_uris'],
    [
      'with an address on plain http',
      { ...valid, redirect_uris: ['http://app.example/'] },
      'redirect_uris[0]',
    ],
    ['with a wildcard', { ...valid, redirect_uris: ['https://*.app.example/'] }, 'redirect_uris[0]'],
    ['with a script', { ...valid, redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris[0]'],
    [
      'with a private scheme and a secret',
      { ...valid, redirect_uris: ['com.example.app:/x'] },
      'redirect_uris[0]',
    ],
    [
      'with refresh tokens alone',
      { ...valid, redirect_uris: [], grant_types: ['refresh_token'] },
      'grant_types',
    ],
    ['with addresses it has no use for', { ...valid, grant_types: ['client_credentials'] }, 'redirect_uris'],
    [
      'that is public and acts for itself',
      { ...valid, public: true, grant_types: ['authorization_code', 'client_credentials'] },
      'grant_types',
    ],
    ['with an unknown field', { ...valid, client_secret: 'mine' }, 'client_secret'],
  ])('is refused %s', async (_name, body, field) => {
    const owner = await addPerson(server)
    const answer = await callAs(server, owner, 'POST', path, body)
    expect(answer.status).toBe(400)
    const { error } = (await answer.json()) as { error: { code: string; problems: { path: string }[] } }
    expect(error.code).toBe('invalid_request')
    expect(error.problems.map((problem) => problem.path)).toContain(field)
  })

  test('is changed in parts, and each change is an event', async () => {
    const owner = await addPerson(server)
    const client = await registerClient(server, owner)
    const at = `${path}/${client.client_id}`
    const tokens = await getTokens(server, owner, client)
    const changed = await callAs(server, owner, 'PATCH', at, { name: 'Renamed', scopes: ['models.read'] })
    expect(await changed.json()).toMatchObject({
      name: 'Renamed',
      scopes: ['models.read'],
      redirect_uris: ['https://app.example/callback'],
    })
    expect(await worksAt(server, tokens.access_token)).toBe(true)
    const wrong = await callAs(server, owner, 'PATCH', at, { redirect_uris: ['http://evil.example/'] })
    expect(wrong.status).toBe(400)
    for (const body of [{}, { public: true }, { client_id: 'x' }]) {
      expect((await callAs(server, owner, 'PATCH', at, body)).status).toBe(400)
    }
    const [event] = (await eventsOf(server, 'identity.oauth_client_changed')).slice(-1)
    expect(event).toMatchObject({ subject: client.client_id, data: { name: 'Renamed' } })
  })

  test('gets a new secret, and the old one stops working at once', async () => {
    const owner = await addPerson(server)
    const client = await registerClient(server, owner)
    expect((await getClientToken(server, client)).status).toBe(200)
    const answer = await callAs(server, owner, 'POST', `${path}/${client.client_id}/secret`)
    const { client_secret } = (await answer.json()) as { client_secret: string }
    expect(client_secret).not.toBe(client.client_secret)
    expect((await getClientToken(server, client)).status).toBe(401)
    expect((await getClientToken(server, { ...client, client_secret })).status).toBe(200)
    const [event] = (await eventsOf(server, 'identity.oauth_client_changed')).slice(-1)
    expect(event).toMatchObject({ subject: client.client_id, data: { secret_replaced: true } })
  })

  test('is deleted with all its tokens', async () => {
    const owner = await addPerson(server)
    const client = await registerClient(server, owner)
    const tokens = await getTokens(server, owner, client)
    const own = await tokensOf(await getClientToken(server, client))
    expect((await callAs(server, owner, 'DELETE', `${path}/${client.client_id}`)).status).toBe(204)
    expect(await worksAt(server, tokens.access_token)).toBe(false)
    expect(await worksAt(server, own.access_token)).toBe(false)
    expect((await refresh(server, client, tokens.refresh_token)).status).toBe(401)
    expect((await callAs(server, owner, 'DELETE', `${path}/${client.client_id}`)).status).toBe(404)
    const [event] = (await eventsOf(server, 'identity.oauth_client_deleted')).slice(-1)
    expect(event).toMatchObject({ subject: client.client_id, account: owner.id })
  })
})

describe('clients of other accounts', () => {
  test('are not found', async () => {
    const owner = await addPerson(server)
    const stranger = await addPerson(server)
    const client = await registerClient(server, owner)
    const at = `${path}/${client.client_id}`
    expect((await list(stranger)).total).toBe(0)
    expect((await callAs(server, stranger, 'GET', at)).status).toBe(404)
    expect((await callAs(server, stranger, 'PATCH', at, { name: 'Mine' })).status).toBe(404)
    expect((await callAs(server, stranger, 'POST', `${at}/secret`)).status).toBe(404)
    expect((await callAs(server, stranger, 'DELETE', at)).status).toBe(404)
    const all = await callAs(server, stranger, 'GET', `${path}?owner=all`)
    expect(all.status).toBe(403)
    expect(await errorCode(all)).toBe('insufficient_scope')
  })

  test('are readable and writable by administrators', async () => {
    const owner = await addPerson(server)
    const client = await registerClient(server, owner)
    const { data, total } = await list(admin, '?owner=all&limit=200')
    expect(total).toBe(data.length)
    expect(data.find(({ client_id }) => client_id === client.client_id)?.username).toBe(owner.username)
    expect((await list(admin)).total).toBe(0)
    const at = `${path}/${client.client_id}`
    expect((await callAs(server, admin, 'PATCH', at, { name: 'Ours' })).status).toBe(200)
    const [event] = (await eventsOf(server, 'identity.oauth_client_changed')).slice(-1)
    expect(event).toMatchObject({ account: owner.id, data: { by: admin.id } })
    expect((await callAs(server, admin, 'DELETE', at)).status).toBe(204)
  })
})

test('the list has stable pages when clients are added', async () => {
  const owner = await addPerson(server)
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) ids.push((await registerClient(server, owner)).client_id)
  const first = await list(owner, '?limit=2')
  await registerClient(server, owner)
  const second = await list(owner, '?limit=2&page=2')
  expect(first.data.map(({ client_id }) => client_id)).toEqual(ids.slice(0, 2))
  expect(second.data.map(({ client_id }) => client_id).at(0)).toBe(ids[2])
  expect(second.total).toBe(4)
})

test('registering a client requires a signed-in user, not a token of an application', async () => {
  const owner = await addPerson(server)
  const client = await registerClient(server, owner)
  const { access_token } = await tokensOf(await getClientToken(server, client))
  const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
  expect((await fetch(`${server.url}${path}`, init)).status).toBe(401)
  const headers = { ...init.headers, authorization: `Bearer ${access_token}` }
  expect((await fetch(`${server.url}${path}`, { ...init, headers })).status).toBe(403)
})

test('an account can have a hundred clients', async () => {
  const owner = await addPerson(server)
  await registerClient(server, owner)
  await server.database.query(
    `
      insert into identity_oauth_clients (client_id, user_id, name, scopes, grant_types)
      select 'tutti-of-many-' || number, $1, 'One of many', '{models.read}', '{client_credentials}'
      from generate_series(1, 99) as number
    `,
    [owner.id],
  )
  await expect(registerClient(server, owner)).rejects.toThrow('An account can have at most 100 OAuth clients')
})
