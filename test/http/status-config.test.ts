import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StatusServer, startStatusServer } from './status-server.ts'

let server: StatusServer

const environment = {
  OPENAI_API_KEY: 'sk-very-secret-key-1234',
  OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  TUTTI_QDRANT_URL: 'http://127.0.0.1:9/',
  TUTTI_QDRANT_API_KEY: 'qdrant-secret',
  TUTTI_CHROMA_URL: 'http://127.0.0.1:9/chroma',
}

beforeAll(async () => {
  server = await startStatusServer({ environment })
  // The defaults.
  await server.database.query('truncate status_config')
})

afterAll(() => server[Symbol.asyncDispose]())

const path = '/admin/llm/config'
let asked = 0

/** A new caller, so that no rate limit applies. */
const put = (body: unknown) => server.call(path, { as: `prober-config-${++asked}`, method: 'PUT', body })
const get = async () => (await server.call(path, { as: `prober-config-${++asked}` })).body

describe('the configuration of health checks', () => {
  test('has its defaults, and the setup of providers, without a secret', async () => {
    const answer = await server.call(path)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      interval_seconds: 30,
      timeout_seconds: 5,
      page_title: 'Status',
      slow_ms: {
        database: 250,
        queue: 60_000,
        disk: 1000,
        ollama: 2000,
        openai: 2000,
        anthropic: 2000,
        gemini: 2000,
        providers: 2000,
        vector_db: 2000,
        mcp: 2000,
      },
      weights: {
        database: 30,
        queue: 20,
        disk: 10,
        ollama: 15,
        openai: 10,
        anthropic: 10,
        gemini: 10,
        providers: 5,
        vector_db: 5,
        mcp: 5,
      },
      damping: { worse: 2, better: 2, flapping_changes: 4, flapping_minutes: 10 },
      disk: { degraded_percent: 90, offline_percent: 98 },
      providers: [
        { name: 'ollama', url: 'http://127.0.0.1:9', key_source: null, key_hint: null },
        { name: 'openai', url: 'http://127.0.0.1:9/v1', key_source: 'environment', key_hint: '1234' },
        { name: 'anthropic', url: expect.stringMatching(/^https:/), key_source: null, key_hint: null },
        { name: 'gemini', url: expect.stringMatching(/^https:/), key_source: null, key_hint: null },
        { name: 'builtin', url: null, key_source: null, key_hint: null },
        { name: 'qdrant', url: 'http://127.0.0.1:9', key_source: 'environment', key_hint: null },
        { name: 'chroma', url: 'http://127.0.0.1:9/chroma', key_source: null, key_hint: null },
      ],
      updated_at: null,
      updated_by: null,
    })
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|password/)
  })

  test('changes the given fields, and keeps the others', async () => {
    const changed = await server.call(path, {
      method: 'PUT',
      body: {
        interval_seconds: 60,
        slow_ms: { openai: 500 },
        damping: { worse: 3 },
        page_title: 'Our platform',
      },
    })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({
      interval_seconds: 60,
      timeout_seconds: 5,
      page_title: 'Our platform',
      slow_ms: { openai: 500, anthropic: 2000 },
      damping: { worse: 3, better: 2 },
      updated_at: expect.any(String),
      updated_by: server.idOf('ada'),
    })
    expect(await get()).toEqual(changed.body)
    const { events } = await server.events.read({ after: 0, limit: 10, types: ['status.config_changed'] })
    expect(events.at(-1)?.data).toMatchObject({
      by: server.idOf('ada'),
      ip: '127.0.0.1',
      changed: ['interval_seconds', 'slow_ms', 'damping', 'page_title'],
    })
  })

  test.each([
    ['interval_seconds', { interval_seconds: 9 }],
    ['interval_seconds', { interval_seconds: 601 }],
    ['interval_seconds', { interval_seconds: 30.5 }],
    ['interval_seconds', { interval_seconds: '30' }],
    ['timeout_seconds', { timeout_seconds: 0 }],
    ['timeout_seconds', { interval_seconds: 10, timeout_seconds: 10 }],
    ['slow_ms', { slow_ms: { moon: 5 } }],
    ['slow_ms', { slow_ms: { openai: 0 } }],
    ['weights', { weights: { openai: -1 } }],
    [
      'weights',
      {
        weights: {
          database: 0,
          queue: 0,
          disk: 0,
          ollama: 0,
          openai: 0,
          anthropic: 0,
          gemini: 0,
          providers: 0,
          vector_db: 0,
          mcp: 0,
        },
      },
    ],
    ['damping', { damping: { worse: 0 } }],
    ['damping', { damping: { flapping_changes: 1 } }],
    ['disk', { disk: { degraded_percent: 99 } }],
    ['disk', { disk: { offline_percent: 101 } }],
    ['page_title', { page_title: '' }],
    ['page_title', { page_title: '   ' }],
    ['page_title', { page_title: 'two\nlines' }],
    ['page_title', { page_title: 'x'.repeat(101) }],
    ['providers', { providers: [] }],
    ['colour', { colour: 'red' }],
  ])('refuses an invalid %s, and changes nothing', async (field, body) => {
    const before = await get()
    const answer = await put(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: 'BAD_REQUEST', timestamp: expect.any(String) })
    expect(JSON.stringify(answer.body.problems)).toContain(field)
    expect(await get()).toEqual(before)
  })

  test('requires administrators', async () => {
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? { body: {} } : {}
      expect((await server.call(path, { as: '', method, ...body })).body.error).toBe('UNAUTHORIZED')
      expect((await server.call(path, { as: 'vera', method, ...body })).body.error).toBe('FORBIDDEN')
    }
  })
})
