import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startOpenAiServer } from '../support/openai-server.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { errorCode } from './identity-server.ts'
import {
  type CatalogueServer,
  createCatalogueDatabase,
  startCatalogueServer,
} from './models-catalogue-server.ts'

const secret = 'a secret of thirty-two characters'
const apiKey = 'sk-proj-abcdefghijklmnopqrstuvwx-9876'

let database: TestDatabase
let server: CatalogueServer

beforeAll(async () => {
  database = await createCatalogueDatabase()
})

afterAll(() => database.close())

beforeEach(async () => {
  await database.query('delete from model_provider_keys')
  server = await startCatalogueServer({ database, environment: { TUTTI_SECRET: secret } })
  return () => server[Symbol.asyncDispose]()
})

interface Listed {
  readonly name: string
  readonly key: { readonly source: string | null; readonly hint: string | null }
  readonly problem: string | null
  readonly state: string
  readonly checked_at: string
}

async function list(asked = server): Promise<readonly Listed[]> {
  const answer = await asked.ask('/api/v1/providers')
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { data: readonly Listed[] }).data
}

const find = async (name: string, asked = server) => (await list(asked)).find((it) => it.name === name)

const store = (name: string, body: unknown, asked = server) =>
  asked.ask(`/api/v1/providers/${name}/key`, { method: 'PUT', body })

const removeKey = (name: string, asked = server) =>
  asked.ask(`/api/v1/providers/${name}/key`, { method: 'DELETE' })

describe('the list of providers', () => {
  test('has all of them in the order of preference, with their details', async () => {
    server.providers.openai.says({ id: 'gpt-4o' }, { id: 'gpt-4o-mini' })
    server.providers.anthropic.is({
      state: 'unconfigured',
      problem: 'Set ANTHROPIC_API_KEY.',
      responseMs: null,
    })
    server.providers.ollama.is({ state: 'degraded', problem: 'One node is down.', responseMs: 12 })
    const none = { source: null, hint: null, updated_at: null, updated_by: null }
    const rest = {
      checked_at: expect.any(String),
      key: none,
      source: 'environment',
      enabled: true,
      header_names: [],
      model_ids: null,
      default_model: null,
      price_list: null,
      updated_at: null,
      updated_by: null,
    }
    const online = { state: 'online', problem: null, response_ms: 3, configured: true }
    expect(await (await server.ask('/api/v1/providers')).json()).toEqual({
      total: 4,
      data: [
        {
          ...rest,
          name: 'ollama',
          kind: 'cluster',
          configured: true,
          base_url: 'http://localhost:3001',
          state: 'degraded',
          problem: 'One node is down.',
          response_ms: 12,
          models: 0,
        },
        {
          ...rest,
          ...online,
          name: 'openai',
          kind: 'openai',
          base_url: 'https://api.openai.com/v1',
          models: 2,
        },
        {
          ...rest,
          name: 'anthropic',
          kind: 'anthropic',
          configured: false,
          base_url: 'https://api.anthropic.com/v1',
          state: 'unconfigured',
          problem: 'Set ANTHROPIC_API_KEY.',
          response_ms: null,
          models: 0,
        },
        { ...rest, ...online, name: 'builtin', kind: 'builtin', base_url: null, models: 0 },
      ],
    })
  })

  test('shows no credentials of a base URL', async () => {
    const baseUrls = { openai: 'https://nadia:hunter2@proxy.internal/v1/?token=abc#x' }
    await using other = await startCatalogueServer({ database, baseUrls })
    const answer = await (await other.ask('/api/v1/providers')).text()
    expect(answer).toContain('"https://proxy.internal/v1"')
    expect(answer).not.toMatch(/hunter2|token=|nadia:/)
  })

  test('probes each periodically, and at once on request', async () => {
    const { openai } = server.providers
    await Promise.all([list(), list()])
    await list()
    expect(openai.probes()).toBe(1)
    openai.is({ state: 'offline', problem: 'It cannot be reached.', responseMs: null })
    expect(await find('openai')).toMatchObject({ state: 'online' })
    const probed = await server.ask('/api/v1/providers/openai/probe', { method: 'POST' })
    expect(probed.headers.get('cache-control')).toBe('no-store')
    expect(await probed.json()).toMatchObject({
      name: 'openai',
      state: 'offline',
      problem: 'It cannot be reached.',
    })
    expect(await find('openai')).toMatchObject({ state: 'offline' })
    expect(openai.probes()).toBe(2)
  })

  test('probes again when the last result is old', async () => {
    await using hasty = await startCatalogueServer({ database, freshMs: 0 })
    await list(hasty)
    await list(hasty)
    expect(hasty.providers.openai.probes()).toBe(2)
  })
})

describe('a stored key', () => {
  test('is used, and never shown', async () => {
    const answer = await store('openai', { api_key: apiKey })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const told = await answer.text()
    expect(JSON.parse(told)).toMatchObject({
      name: 'openai',
      key: { source: 'stored', hint: '9876', updated_at: expect.any(String), updated_by: 'nadia' },
    })
    expect(await server.keys.read('openai')).toBe(apiKey)
    const seen = [
      told,
      await (await server.ask('/api/v1/providers')).text(),
      JSON.stringify(await database.query('select * from model_provider_keys')),
      JSON.stringify(await database.query('select * from kernel_events')),
      server.logged.join('\n'),
    ]
    for (const text of seen) expect(text).not.toContain('abcdefghij')
  })

  test('replaces the previous one, and is gone when it is removed', async () => {
    await store('anthropic', { api_key: apiKey })
    await store('anthropic', { api_key: `${apiKey}-2222` })
    expect(await server.keys.read('anthropic')).toBe(`${apiKey}-2222`)
    expect(await find('anthropic')).toMatchObject({ key: { hint: '2222' } })
    expect((await removeKey('anthropic')).status).toBe(204)
    expect(await server.keys.read('anthropic')).toBeUndefined()
    expect(await find('anthropic')).toMatchObject({ key: { source: null, hint: null } })
    expect(await errorCode(await removeKey('anthropic'))).toBe('not_found')
  })

  test('triggers a probe of the provider', async () => {
    await list()
    const { openai, anthropic } = server.providers
    await store('openai', { api_key: apiKey })
    expect([openai.probes(), anthropic.probes()]).toEqual([2, 1])
    await removeKey('openai')
    await list()
    expect([openai.probes(), anthropic.probes()]).toEqual([3, 1])
  })

  test('that is short has no hint', async () => {
    await store('openai', { api_key: 'EMPTY' })
    expect(await find('openai')).toMatchObject({ key: { source: 'stored', hint: null } })
    expect(await server.keys.read('openai')).toBe('EMPTY')
  })

  test('is in the event log with the accounts that stored and removed it', async () => {
    await store('openai', { api_key: apiKey })
    await removeKey('openai')
    for (const type of ['models.provider_key_stored', 'models.provider_key_removed']) {
      expect((await server.eventsOf(type)).at(-1)).toMatchObject({
        subject: 'openai',
        account: null,
        data: { hint: '9876', by: 'nadia', ip: '127.0.0.1', user_agent: expect.any(String) },
      })
    }
  })

  test('is known to the other replicas', async () => {
    await using other = await startCatalogueServer({ database, environment: { TUTTI_SECRET: secret } })
    expect(await other.keys.read('openai')).toBeUndefined()
    await store('openai', { api_key: apiKey })
    await eventually(async () => (await other.keys.read('openai')) === apiKey)
    await removeKey('openai')
    await eventually(async () => (await other.keys.read('openai')) === undefined)
  })

  test('cannot be moved to another provider in the table', async () => {
    await store('openai', { api_key: apiKey })
    await database.query(`
      insert into model_provider_keys (provider, sealed, hint)
      select 'anthropic', sealed, hint from model_provider_keys where provider = 'openai'
    `)
    await using other = await startCatalogueServer({ database, environment: { TUTTI_SECRET: secret } })
    expect(await other.keys.read('anthropic')).toBeUndefined()
    expect(await other.keys.read('openai')).toBe(apiKey)
    expect(await find('anthropic', other)).toMatchObject({
      problem: expect.stringContaining('cannot be decrypted'),
    })
  })
})

describe('a stored key of a real provider', () => {
  test('is sent from then on, and its models are listed', async () => {
    await using openai = await startOpenAiServer({ apiKey, models: ['gpt-4o-mini'] })
    await using real = await startCatalogueServer({
      database,
      environment: { TUTTI_SECRET: secret },
      openaiAt: openai.baseUrl,
    })
    await store('openai', { api_key: 'sk-wrong-key-0000' }, real)
    const refused = await find('openai', real)
    expect(refused).toMatchObject({ state: 'offline', base_url: openai.baseUrl, models: 0 })
    expect(JSON.stringify(refused)).not.toContain('sk-wrong-key')
    const answer = await store('openai', { api_key: apiKey }, real)
    expect(await answer.json()).toMatchObject({ state: 'online', problem: null, models: 1 })
    expect(await real.catalogue.find()).toMatchObject([{ provider: 'openai', model: { id: 'gpt-4o-mini' } }])
    expect(openai.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${apiKey}`)
    expect(real.logged.join()).not.toContain('abcdefghij')
  })
})

describe('a key from the environment', () => {
  const environment = { TUTTI_SECRET: secret, OPENAI_API_KEY: 'sk-of-the-environment-1111' }

  test('overrides a stored one', async () => {
    await store('openai', { api_key: apiKey })
    await using other = await startCatalogueServer({ database, environment })
    expect(await other.keys.read('openai')).toBe('sk-of-the-environment-1111')
    expect(await find('openai', other)).toMatchObject({ key: { source: 'environment', hint: '1111' } })
  })

  test('refuses to store another, because that would have no effect', async () => {
    await using other = await startCatalogueServer({ database, environment })
    const answer = await store('openai', { api_key: apiKey }, other)
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'conflict',
        message: 'OPENAI_API_KEY is set and takes precedence over a stored key. Unset it first.',
      },
    })
    expect(await database.query('select from model_provider_keys')).toHaveLength(0)
  })

  test('allows removing a stored one', async () => {
    await store('openai', { api_key: apiKey })
    await using other = await startCatalogueServer({ database, environment })
    expect((await removeKey('openai', other)).status).toBe(204)
  })
})

describe('the secret of the installation', () => {
  test('is required to store a key, and the error names the setting', async () => {
    await using other = await startCatalogueServer({ database })
    const answer = await store('openai', { api_key: apiKey }, other)
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({
      error: { code: 'secret_missing', message: expect.stringContaining('Set TUTTI_SECRET') },
    })
  })

  test.each([
    ['a wrong one', { TUTTI_SECRET: 'another secret of thirty-two characters' }],
    ['none', {}],
  ])(
    'when it is %s, the key is not used and everything else works',
    async (_name, environment: Record<string, string>) => {
      await store('openai', { api_key: apiKey })
      await using other = await startCatalogueServer({ database, environment })
      expect(await other.keys.read('openai')).toBeUndefined()
      expect(await find('openai', other)).toMatchObject({
        key: { source: 'stored', hint: '9876' },
        problem: expect.stringContaining('encrypted with another secret'),
      })
      expect(other.logged.join()).toContain('the stored key of a provider cannot be decrypted')
      expect((await removeKey('openai', other)).status).toBe(204)
    },
  )

  test('can be replaced: values of the old one are encrypted again', async () => {
    await store('openai', { api_key: apiKey })
    const next = 'the next secret of thirty-two characters'
    {
      const environment = { TUTTI_SECRET: next, TUTTI_SECRET_PREVIOUS: secret }
      await using other = await startCatalogueServer({ database, environment })
      expect(await other.keys.read('openai')).toBe(apiKey)
    }
    await using alone = await startCatalogueServer({ database, environment: { TUTTI_SECRET: next } })
    expect(await alone.keys.read('openai')).toBe(apiKey)
    expect(await find('openai', alone)).toMatchObject({ key: { updated_by: 'nadia' } })
  })
})

describe('an invalid key is refused', () => {
  test.each([
    ['nothing', { api_key: '' }],
    ['blanks', { api_key: 'sk 1234' }],
    ['a line break, which would end the header', { api_key: 'sk-1234\r\nX-Evil: 1' }],
    ['letters that headers do not have', { api_key: 'sk-été-12345678' }],
    ['too much', { api_key: 'x'.repeat(513) }],
    ['a number', { api_key: 12_345_678 }],
    ['null', { api_key: null }],
    ['another field', { api_key: apiKey, key: apiKey }],
    ['no field', {}],
    ['no object', '[]'],
  ])('%s', async (_name, body) => {
    const answer = await store('openai', body)
    expect(answer.status).toBe(400)
    const told = await answer.text()
    expect(told).toContain('"invalid_request"')
    expect(told).not.toContain('abcdefghij')
    expect(server.logged.join()).not.toContain('abcdefghij')
  })

  test.each(['ollama', 'builtin'])('of %s, which needs none', async (name) => {
    const answer = await store(name, { api_key: apiKey })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { message: `${name} needs no API key. The providers with a key are openai, anthropic.` },
    })
  })

  test.each([
    ['PUT', '/api/v1/providers/unknown/key', 404],
    ['POST', '/api/v1/providers/unknown/probe', 404],
    ['POST', '/api/v1/providers/openai/key', 405],
    ['GET', '/api/v1/providers/unknown', 404],
  ])('%s %s', async (method, path, status) => {
    const body = method === 'GET' ? undefined : { api_key: apiKey }
    expect((await server.ask(path, { method, body })).status).toBe(status)
  })
})

test('only model administrators read providers and change keys', async () => {
  await using closed = await startCatalogueServer({
    database,
    environment: { TUTTI_SECRET: secret },
    administers: false,
  })
  const asked = [
    closed.ask('/api/v1/providers'),
    closed.ask('/api/v1/providers/openai/probe', { method: 'POST' }),
    store('openai', { api_key: apiKey }, closed),
    removeKey('openai', closed),
  ]
  for (const answer of await Promise.all(asked)) expect(answer.status).toBe(403)
  expect(closed.providers.openai.probes()).toBe(0)
})
