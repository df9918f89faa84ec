import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { errorCode } from './identity-server.ts'
import {
  type CatalogueServer,
  createCatalogueDatabase,
  startCatalogueServer,
} from './models-catalogue-server.ts'

let database: TestDatabase
let server: CatalogueServer

beforeAll(async () => {
  database = await createCatalogueDatabase()
  server = await startCatalogueServer({ database })
  server.providers.openai.says({ id: 'gpt-4o-mini' }, { id: 'ft:gpt-0:imagined' })
  server.providers.ollama.says({ id: 'gemma3:4b' })
  server.providers.builtin.says({ id: 'builtin:text' })
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await database.close()
})

async function pricingOf(model: string, asked = server): Promise<unknown> {
  const answer = await asked.ask('/api/v1/models')
  const { data } = (await answer.json()) as { data: { id: string; pricing: unknown }[] }
  return data.find(({ id }) => id === model)?.pricing
}

const put = (path: string, body: unknown) => server.ask(`/api/v1/prices/${path}`, { method: 'PUT', body })
const remove = (path: string) => server.ask(`/api/v1/prices/${path}`, { method: 'DELETE' })

test('without custom prices the built-in table applies, and unknown prices are marked', async () => {
  expect(await pricingOf('gpt-4o-mini')).toEqual({
    source: 'table',
    input: 0.15,
    cached_input: 0.075,
    output: 0.6,
    tiers: [],
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  })
  const unpriced = {
    source: 'unpriced',
    input: null,
    cached_input: null,
    output: null,
    tiers: [],
    version: null,
  }
  expect(await pricingOf('ft:gpt-0:imagined')).toEqual(unpriced)
  const free = { source: 'free', input: 0, cached_input: 0, output: 0 }
  expect(await pricingOf('gemma3:4b')).toMatchObject(free)
  expect(await pricingOf('builtin:text')).toMatchObject(free)
})

test('a custom price overrides the table, is listed, and is gone when it is removed', async () => {
  const set = await put('openai/gpt-4o-mini', {
    input: '0.2',
    cached_input: 0.1,
    output: '0.7',
  })
  expect(set.status).toBe(200)
  expect(set.headers.get('cache-control')).toBe('no-store')
  const stored = {
    provider: 'openai',
    model: 'gpt-4o-mini',
    input: 0.2,
    cached_input: 0.1,
    output: 0.7,
    updated_at: expect.any(String),
    updated_by: 'nadia',
  }
  expect(await set.json()).toEqual(stored)
  expect(await pricingOf('gpt-4o-mini')).toMatchObject({
    source: 'override',
    input: 0.2,
    cached_input: 0.1,
    output: 0.7,
  })
  expect(await (await server.ask('/api/v1/prices')).json()).toEqual({
    data: [stored],
    total: 1,
    table_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  })
  expect((await remove('openai/gpt-4o-mini')).status).toBe(204)
  expect(await pricingOf('gpt-4o-mini')).toMatchObject({ source: 'table', input: 0.15 })
  expect(await errorCode(await remove('openai/gpt-4o-mini'))).toBe('not_found')
})

test('a model of the cluster can have a price, also one with slashes in its name', async () => {
  for (const model of ['gemma3:4b', 'hf.co/nadia/tuned:Q4']) {
    const set = await put(`ollama/${encodeURIComponent(model)}`, { input: 0.000_001, output: 0 })
    expect(await set.json()).toMatchObject({ model, input: 0.000_001, cached_input: 0.000_001, output: 0 })
  }
  expect(await pricingOf('gemma3:4b')).toMatchObject({ source: 'override', input: 0.000_001 })
  for (const model of ['gemma3:4b', 'hf.co/nadia/tuned:Q4']) {
    expect((await remove(`ollama/${encodeURIComponent(model)}`)).status).toBe(204)
  }
})

test('the event log names the account that set or removed a price', async () => {
  await put('openai/noted', { input: 1, output: 2 })
  await remove('openai/noted')
  const by = { by: 'nadia', ip: '127.0.0.1' }
  expect(await server.eventsOf('models.price_set')).toContainEqual(
    expect.objectContaining({
      subject: 'openai/noted',
      data: expect.objectContaining({ input: 1, cached_input: 1, output: 2, ...by }),
    }),
  )
  expect(await server.eventsOf('models.price_removed')).toContainEqual(
    expect.objectContaining({ subject: 'openai/noted', data: expect.objectContaining(by) }),
  )
})

test('another replica learns of it', async () => {
  await using other = await startCatalogueServer({ database })
  other.providers.openai.says({ id: 'gpt-4o-mini' })
  expect(await pricingOf('gpt-4o-mini', other)).toMatchObject({ source: 'table' })
  await put('openai/gpt-4o-mini', { input: 9, output: 9 })
  await eventually(async () => JSON.stringify(await pricingOf('gpt-4o-mini', other)).includes('override'))
  await remove('openai/gpt-4o-mini')
  await eventually(async () => JSON.stringify(await pricingOf('gpt-4o-mini', other)).includes('table'))
})

describe('an invalid price is refused by its name', () => {
  test.each([
    ['a negative number', { input: -1, output: 1 }, /^input must be/],
    ['more decimals than money has', { input: '0.0000001', output: 1 }, /^input must be/],
    ['the same as a number', { input: 1, output: 1e-7 }, /^output must be/],
    ['too much', { input: 1e7, output: 1 }, /^input must be[^.]*\.$/],
    ['a word', { input: 'free', output: 1 }, /^input must be/],
    ['nothing', { input: '', output: 1 }, /^input must be/],
    ['another notation', { input: '0x10', output: '1e3' }, /^input must be.*output must be/],
    ['a truth', { input: true, output: 1 }, /^input /],
    ['a missing one', { input: 1 }, /^output is required/],
    ['another field', { input: 1, output: 1, price: 1 }, /^price is not a known field/],
    ['no object', '[]', /^The body /],
    ['a cached price that is none', { input: 1, cached_input: 'x', output: 1 }, /^cached_input must be/],
  ])('%s', async (_name, body, message) => {
    const answer = await put('openai/gpt-4o-mini', body)
    expect(answer.status).toBe(400)
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(message) })
  })

  test.each([
    ['PUT', 'builtin/builtin:text', 404],
    ['PUT', 'unknown/model', 404],
    ['PUT', `openai/${'x'.repeat(300)}`, 404],
    ['PUT', 'openai/%00', 404],
    ['PUT', 'openai/%0a', 404],
    ['PUT', 'openai', 404],
    ['PUT', 'openai/a/b', 404],
    ['GET', 'openai/a', 405],
  ])('%s /api/v1/prices/%s', async (method, path, status) => {
    const body = method === 'GET' ? undefined : { input: 1, output: 1 }
    expect((await server.ask(`/api/v1/prices/${path}`, { method, body })).status).toBe(status)
  })
})

test('only model administrators read or set prices', async () => {
  await using closed = await startCatalogueServer({ database, administers: false })
  const asked = [
    closed.ask('/api/v1/prices'),
    closed.ask('/api/v1/prices/openai/x', { method: 'PUT', body: { input: 1, output: 1 } }),
    closed.ask('/api/v1/prices/openai/x', { method: 'DELETE' }),
  ]
  for (const answer of await Promise.all(asked)) expect(answer.status).toBe(403)
})

describe('with a custom base URL', () => {
  test('the prices of the table do not apply, because the same name may cost something else there', async () => {
    await using local = await startCatalogueServer({
      database,
      baseUrls: { openai: 'https://proxy.example.com/v1' },
    })
    local.providers.openai.says({ id: 'gpt-4o-mini' })
    expect(await pricingOf('gpt-4o-mini', local)).toMatchObject({ source: 'unpriced' })
  })

  test('models on machines of the operator are free, unless they have a price', async () => {
    await using local = await startCatalogueServer({
      database,
      baseUrls: { openai: 'http://vllm:8000/v1' },
    })
    local.providers.openai.says({ id: 'qwen3' })
    expect(await pricingOf('qwen3', local)).toMatchObject({ source: 'free', input: 0, output: 0 })
    const body = { input: 1, output: 2 }
    expect((await local.ask('/api/v1/prices/openai/qwen3', { method: 'PUT', body })).status).toBe(200)
    expect(await pricingOf('qwen3', local)).toMatchObject({ source: 'override', input: 1, output: 2 })
  })

  test('the prices of the detected provider apply', async () => {
    await using local = await startCatalogueServer({
      database,
      baseUrls: { openai: 'https://openrouter.ai/api/v1' },
    })
    local.providers.openai.says({ id: 'openai/gpt-4o-mini' })
    expect(await pricingOf('openai/gpt-4o-mini', local)).toMatchObject({ source: 'table' })
  })

  test('the configured price list applies', async () => {
    const proxy = { baseUrls: { openai: 'http://proxy.internal/v1' } }
    await using priced = await startCatalogueServer({ database, ...proxy, openaiPriceList: 'openai' })
    priced.providers.openai.says({ id: 'gpt-4o-mini' })
    expect(await pricingOf('gpt-4o-mini', priced)).toMatchObject({ source: 'table', input: 0.15 })
    await using unknown = await startCatalogueServer({ database, ...proxy, openaiPriceList: 'unknown' })
    unknown.providers.openai.says({ id: 'gpt-4o-mini' })
    expect(await pricingOf('gpt-4o-mini', unknown)).toMatchObject({ source: 'unpriced' })
    expect(unknown.logged.join()).toContain('the price table has no such price list')
  })

  test('no prices apply', async () => {
    await using free = await startCatalogueServer({ database, openaiPriceList: 'none' })
    free.providers.openai.says({ id: 'gpt-4o-mini' })
    expect(await pricingOf('gpt-4o-mini', free)).toMatchObject({ source: 'unpriced' })
    expect(free.logged.join()).not.toContain('no such price list')
  })
})
