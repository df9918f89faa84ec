import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiKeyBody, bearer, call, type ErrorBody, type ListBody, login } from './identity-calls.ts'
import { addAccount, eventsOf, type IdentityServer, startIdentityServer } from './identity-server.ts'

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

type NewKey = ApiKeyBody & { readonly key: string }

const none = {
  models: null,
  micro_dollars_per_day: null,
  micro_dollars_per_month: null,
  micro_dollars_total: null,
  requests_per_minute: null,
  tokens_per_minute: null,
}

async function make(limits?: object | null, as = author): Promise<NewKey> {
  const body = { name: 'a test', ...(limits !== undefined && { limits }) }
  return (await call<NewKey>(server, 'POST /api/v1/api-keys', { as, body })).body
}

const change = <Body = ApiKeyBody>(id: string, body: object, as: Record<string, string> = author) =>
  call<Body>(server, `PATCH /api/v1/api-keys/${id}`, { as, body })

const read = (id: string, as: Record<string, string> = author) =>
  call<ApiKeyBody>(server, `GET /api/v1/api-keys/${id}`, { as })

describe('the limits of a key', () => {
  test('are in its response, in the list, in its detail, in the audit event and in the profile', async () => {
    const limits = {
      models: ['gemma3', 'openai/gpt-*', 'gemma3'],
      micro_dollars_per_day: 5_000_000,
      tokens_per_minute: 1000,
    }
    const { key, ...record } = await make(limits)
    const shown = { ...none, ...limits, models: ['gemma3', 'openai/gpt-*'] }
    expect(record.limits).toEqual(shown)
    expect((await read(record.id)).body).toEqual(record)
    const { body } = await call<ListBody<ApiKeyBody>>(server, 'GET /api/v1/api-keys', { as: author })
    expect(body.data).toContainEqual(record)
    expect((await eventsOf(server, 'identity.api_key_created')).at(-1)).toMatchObject({
      subject: record.id,
      data: { limits: shown },
    })
    const profile = await call<{ api_key?: unknown }>(server, 'GET /api/v1/user/profile', { as: bearer(key) })
    expect(profile.body.api_key).toEqual({ id: record.id, limits: shown })
    const signedIn = await call<{ api_key?: unknown }>(server, 'GET /api/v1/user/profile', { as: author })
    expect(signedIn.body.api_key).toBeUndefined()
  })

  test.each([[undefined], [null], [{}], [none]])('%j is none', async (limits) => {
    expect((await make(limits)).limits).toBeNull()
  })

  test.each([
    [{ models: [] }, 'limits.models'],
    [{ models: [''] }, 'limits.models[0]'],
    [{ models: ['a\nb'] }, 'limits.models[0]'],
    [{ models: ['x'.repeat(201)] }, 'limits.models[0]'],
    [{ models: Array.from({ length: 101 }, (_, index) => `m${index}`) }, 'limits.models'],
    [{ models: 'gemma3' }, 'limits.models'],
    [{ micro_dollars_per_day: -1 }, 'limits.micro_dollars_per_day'],
    [{ micro_dollars_total: 1.5 }, 'limits.micro_dollars_total'],
    [{ micro_dollars_per_month: 1e16 }, 'limits.micro_dollars_per_month'],
    [{ requests_per_minute: 0 }, 'limits.requests_per_minute'],
    [{ tokens_per_minute: '5' }, 'limits.tokens_per_minute'],
    [{ requests_per_hour: 5 }, 'limits.requests_per_hour'],
  ])('%j is refused at %s', async (limits, path) => {
    const { id } = await make()
    for (const answer of [
      await call(server, 'POST /api/v1/api-keys', { as: author, body: { name: 'x', limits } }),
      await change<ErrorBody>(id, { limits }),
    ]) {
      expect(answer.status).toBe(400)
      expect(JSON.stringify(answer.body)).toContain(path)
    }
  })
})

describe('changing a key', () => {
  test('keeps absent fields, removes null ones, and is recorded', async () => {
    const { id, prefix } = await make({ requests_per_minute: 5, tokens_per_minute: 100 })
    const renamed = await change(id, { name: 'renamed' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toMatchObject({ name: 'renamed', limits: { requests_per_minute: 5 } })
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const changed = await change(id, { expires_at, limits: { requests_per_minute: null, models: ['a'] } })
    expect(changed.body).toMatchObject({ name: 'renamed', expires_at })
    expect(changed.body.limits).toEqual({ ...none, models: ['a'], tokens_per_minute: 100 })
    expect((await eventsOf(server, 'identity.api_key_changed')).at(-1)).toMatchObject({
      subject: id,
      account: ethelId,
      data: { by: ethelId, name: 'renamed', prefix, expires_at, limits: changed.body.limits },
    })
    expect((await change(id, { expires_at: null, limits: null })).body).toMatchObject({
      expires_at: null,
      limits: null,
    })
  })

  test.each([
    [{}],
    [{ name: ' ' }],
    [{ scopes: ['models.read'] }],
    [{ expires_at: '2001-01-01T00:00:00Z' }],
    [{ expires_at: 'soon' }],
  ])('%j is refused', async (body) => {
    const { id } = await make()
    expect((await change(id, body)).status).toBe(400)
  })

  test('is allowed to its owner and to administrators', async () => {
    const hers = await make(undefined, admin)
    expect((await change(hers.id, { name: 'mine' })).status).toBe(404)
    expect((await read(hers.id)).status).toBe(404)
    const his = await make()
    const limited = await change(his.id, { limits: { requests_per_minute: 1 } }, admin)
    expect(limited.body.limits).toMatchObject({ requests_per_minute: 1 })
    expect((await read(his.id, admin)).body).toEqual(limited.body)
    await call(server, `DELETE /api/v1/api-keys/${his.id}`, { as: author })
    expect((await change(his.id, { name: 'gone' })).status).toBe(404)
    expect((await read(his.id)).status).toBe(404)
  })

  test('an expired key works again with a later expiry', async () => {
    const { id, key } = await make()
    await server.database.query(
      `update identity_api_keys set expires_at = now() - interval '1 s' where id = $1`,
      [id],
    )
    const status = async () => (await call(server, 'GET /api/v1/content', { as: bearer(key) })).status
    await expect.poll(status).toBe(401)
    await change(id, { expires_at: new Date(Date.now() + 60_000).toISOString() })
    expect(await status()).toBe(200)
  })
})

test('a key with limits cannot lift them', async () => {
  const { id, key } = await make({ requests_per_minute: 100 }, admin)
  const as = bearer(key)
  const client = { name: 'x', redirect_uris: ['https://example.org/cb'], scopes: ['models.read'] }
  const { body: known } = await call<{ client_id: string }>(server, 'POST /api/v1/oauth-clients', {
    as: admin,
    body: client,
  })
  for (const answer of [
    await call(server, 'POST /api/v1/api-keys', { as, body: { name: 'a wider one' } }),
    await change<ErrorBody>(id, { limits: null }, as),
    await call(server, 'POST /api/v1/oauth-clients', { as, body: client }),
    await call(server, `PATCH /api/v1/oauth-clients/${known.client_id}`, {
      as,
      body: { name: 'y' },
    }),
    await call(server, `POST /api/v1/oauth-clients/${known.client_id}/secret`, { as }),
  ]) {
    expect(answer.status).toBe(403)
    expect(answer.body.error.message).toContain('limits')
  }
  expect((await call(server, 'GET /api/v1/api-keys', { as })).status).toBe(200)
})
