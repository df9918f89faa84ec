import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { version } from '../../src/app/version.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type StatusServer, startStatusServer } from './status-server.ts'

let database: TestDatabase
let server: StatusServer

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startStatusServer({ database })
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await database.close()
})

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** The header of responses that must not be cached. */
function expectError(answer: Awaited<ReturnType<StatusServer['call']>>, status: number, error: string) {
  expect(answer.status).toBe(status)
  expect(answer.body).toMatchObject({ error, message: expect.any(String), timestamp: moment })
  expect(Object.keys(answer.body)).toEqual(
    expect.arrayContaining(['error', 'message', 'timestamp', 'request_id']),
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
}

/** The documented types: `[]` is a list, `moment` an ISO 8601 timestamp. */
type Documented = 'integer' | 'number' | 'string' | 'boolean' | 'moment' | [Fields] | Fields
interface Fields {
  readonly [name: string]: Documented
}

const isOf: Readonly<Record<Extract<Documented, string>, (value: unknown) => boolean>> = {
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  string: (value) => typeof value === 'string' && value !== '',
  boolean: (value) => typeof value === 'boolean',
  moment: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
}

/** Every documented field that is missing, null or of another type. */
function mistyped(value: unknown, documented: Documented, path = ''): string[] {
  if (typeof documented === 'string') {
    return isOf[documented](value) ? [] : [`${path} is ${JSON.stringify(value)}, not ${documented}`]
  }
  if (typeof value !== 'object' || value === null) return [`${path} is ${JSON.stringify(value)}`]
  if (!Array.isArray(documented)) {
    const fields = value as Readonly<Record<string, unknown>>
    return Object.entries(documented).flatMap(([name, type]) =>
      mistyped(fields[name], type, `${path}.${name}`),
    )
  }
  if (!Array.isArray(value) || value.length === 0) return [`${path} is no list of anything`]
  return value.flatMap((entry, index) => mistyped(entry, documented[0], `${path}[${index}]`))
}

const documentedService = {
  name: 'string',
  status: 'string',
  statusText: 'string',
  responseTime: 'number',
} as const
const serviceStatus: Fields = {
  ...documentedService,
  lastCheck: 'moment',
  metadata: { version: 'string', models_loaded: 'integer', memory_usage: 'string' },
}
const documentedTypes: Readonly<Record<string, Fields>> = {
  '/api/llm/health': {
    overallScore: 'integer',
    systemStatus: { level: 'string', message: 'string' },
    services: [documentedService],
    timestamp: 'moment',
  },
  ...Object.fromEntries(
    [
      'general',
      'ollama',
      'openai',
      'anthropic',
      'gemini',
      'vector_db',
      'system',
      'database',
      'queue',
      'disk',
      'mcp',
    ].map((type) => [`/admin/llm/status/${type}`, serviceStatus]),
  ),
  '/admin/llm/metrics/live': {
    totalRequests: 'integer',
    totalTokens: 'integer',
    averageResponseTime: 'number',
    modelsActive: 'integer',
    uptime: 'string',
    timestamp: 'moment',
  },
  '/admin/mcp/server/count': {
    total: 'integer',
    active: 'integer',
    inactive: 'integer',
    lastUpdated: 'moment',
  },
}

describe('every response has the documented types', () => {
  test.each(Object.entries(documentedTypes))('GET %s', async (path, types) => {
    const { status, body } = await server.call(path)
    expect(status).toBe(200)
    expect(mistyped(body, types)).toEqual([])
  })

  test('POST /llm-ui/analytics', async () => {
    const { status, body } = await server.post('/llm-ui/analytics', {
      event: 'click',
      component: 'menu',
      timestamp: new Date().toISOString(),
    })
    expect(status).toBe(200)
    expect(mistyped(body, { success: 'boolean', message: 'string', id: 'string' })).toEqual([])
  })

  test('with values of an earlier version, too', async () => {
    await server.call('/api/llm/health')
    for (const metadata of ['{}', '{"version": null, "models_loaded": null, "memory_usage": null}']) {
      await database.query('update status_services set metadata = $1', [metadata])
      for (const type of ['general', 'openai']) {
        expect(mistyped((await server.call(`/admin/llm/status/${type}`)).body, serviceStatus)).toEqual([])
      }
    }
  })

  test('with unknown and 0 for missing values of a service', async () => {
    await server.probe()
    expect((await server.service('openai')).metadata).toEqual({
      version: 'unknown',
      models_loaded: 0,
      memory_usage: 'unknown',
    })
  })
})

describe('the health report', () => {
  test('has every field, also before the first round: then it probes now', async () => {
    const { status, body } = await server.call('/api/llm/health')
    expect(status).toBe(200)
    expect(body).toEqual({
      overallScore: expect.any(Number),
      systemStatus: {
        level: expect.stringMatching(/^(healthy|degraded|critical)$/),
        message: expect.any(String),
      },
      services: expect.any(Array),
      timestamp: moment,
    })
    expect(Number.isInteger(body.overallScore)).toBe(true)
    expect(body.services.map(({ name }: { name: string }) => name)).toEqual([
      'database',
      'queue',
      'disk',
      'ollama',
      'openai',
      'anthropic',
      'gemini',
      'vector_db',
      'mcp',
    ])
    for (const service of body.services) {
      expect(service).toEqual({
        name: expect.any(String),
        status: expect.stringMatching(/^(online|degraded|offline|unconfigured)$/),
        statusText: expect.stringMatching(/\S/),
        responseTime: expect.any(Number),
        since: moment,
        flapping: false,
        weight: expect.any(Number),
      })
    }
  })

  test('may be cached for half a minute, separately for each credential', async () => {
    const { headers } = await server.call('/api/llm/health')
    expect(headers.get('cache-control')).toBe('public, max-age=30')
    expect(headers.get('vary')).toBe('Authorization, Cookie, X-API-Key')
  })

  test('requires administrators', async () => {
    expectError(await server.call('/api/llm/health', { as: '' }), 401, 'UNAUTHORIZED')
    expectError(await server.call('/api/llm/health', { as: 'vera' }), 403, 'FORBIDDEN')
  })

  test('follows the weights, and their effect on the level', async () => {
    const usual = { ollama: 15, database: 30, queue: 20, disk: 10 }
    await server.configure({ weights: usual })
    // The ports of the cluster and the node are closed, so that is the one service that is offline.
    const told = await server.probe(2)
    expect(told.services.find(({ name }: { name: string }) => name === 'ollama').status).toBe('offline')
    expect(told).toMatchObject({ overallScore: 80, systemStatus: { level: 'degraded' } })
    await server.configure({ weights: { ollama: 0 } })
    expect((await server.call('/api/llm/health')).body).toMatchObject({
      overallScore: 100,
      systemStatus: { level: 'degraded', message: 'Offline: ollama.' },
    })
    await server.configure({ weights: { ollama: 100, database: 10, queue: 10, disk: 10 } })
    expect((await server.call('/api/llm/health')).body).toMatchObject({
      overallScore: 23,
      systemStatus: { level: 'critical' },
    })
    await server.configure({ weights: usual })
  })

  test('reports that no prober is running', async () => {
    await server.probe()
    await database.query(`update status_services set checked_at = checked_at - interval '3 minutes'`)
    const { body } = await server.call('/api/llm/health')
    expect(body.services.find(({ name }: { name: string }) => name === 'queue')).toMatchObject({
      status: 'offline',
      statusText: expect.stringContaining('no worker is running'),
    })
    expect(body.services.find(({ name }: { name: string }) => name === 'database').statusText).toMatch(
      /^Not checked since /,
    )
    expect(body.systemStatus.level).not.toBe('healthy')
    await server.probe()
    expect((await server.service('queue')).status).toBe('online')
  })
})

describe('the status of one service', () => {
  test.each([
    'general',
    'ollama',
    'openai',
    'anthropic',
    'gemini',
    'vector_db',
    'system',
    'database',
    'queue',
    'disk',
    'mcp',
  ])('%s has every field', async (type) => {
    const { status, body, headers } = await server.call(`/admin/llm/status/${type}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      name: type,
      status: expect.stringMatching(/^(online|degraded|offline|unconfigured)$/),
      statusText: expect.stringMatching(/\S/),
      responseTime: expect.any(Number),
      lastCheck: moment,
      since: moment,
      metadata: {
        version: expect.stringMatching(/\S/),
        models_loaded: expect.any(Number),
        memory_usage: expect.stringMatching(/^([\d.]+ [KMGT]?B|unknown)$/),
      },
    })
    expect(headers.get('cache-control')).toBe('public, max-age=120')
    expect(headers.get('vary')).toBe('Authorization, Cookie, X-API-Key')
  })

  test('of the platform follows the level, and both it and the installation have version and memory', async () => {
    await server.probe(2)
    const [general, system] = [await server.service('general'), await server.service('system')]
    expect(general).toMatchObject({ status: 'degraded', statusText: 'Offline: ollama.' })
    expect(system).toMatchObject({
      status: 'online',
      statusText: expect.stringContaining('the only process'),
    })
    for (const { metadata } of [general, system]) {
      expect(metadata).toMatchObject({ version, memory_usage: expect.stringMatching(/ MB$| GB$/) })
    }
  })

  test('of an unknown service is 404, with the known ones', async () => {
    const answer = await server.call('/admin/llm/status/moon')
    expectError(answer, 404, 'NOT_FOUND')
    expect(answer.body.message).toContain('general, system, database')
  })

  test('requires administrators', async () => {
    expectError(await server.call('/admin/llm/status/general', { as: '' }), 401, 'UNAUTHORIZED')
    expectError(await server.call('/admin/llm/status/general', { as: 'vera' }), 403, 'FORBIDDEN')
    expectError(await server.call('/admin/llm/status/moon', { as: 'vera' }), 403, 'FORBIDDEN')
  })
})

describe('an immediate check', () => {
  test('returns the report, which is not cached, and counts like every other round', async () => {
    const checks = async () => {
      const { body } = await server.call('/admin/llm/history?service=database')
      return body.services[0].checks
    }
    const before = await checks()
    const answer = await server.post('/admin/llm/probe')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toMatchObject({ overallScore: expect.any(Number), services: expect.any(Array) })
    expect(await checks()).toBe(before + 1)
  })

  test('requires administrators', async () => {
    expectError(await server.post('/admin/llm/probe', undefined, { as: '' }), 401, 'UNAUTHORIZED')
    expectError(await server.post('/admin/llm/probe', undefined, { as: 'vera' }), 403, 'FORBIDDEN')
  })
})

describe('an invalid request', () => {
  test('gets an error in the format of this API', async () => {
    const nothing = await server.call('/admin/llm/nothing')
    expect(nothing.status).toBe(404)
    expect(nothing.body).toMatchObject({ error: 'NOT_FOUND', message: expect.any(String), timestamp: moment })
    const wrongMethod = await server.call('/api/llm/health', { method: 'DELETE' })
    expect(wrongMethod.status).toBe(405)
    expect(wrongMethod.body).toMatchObject({ error: 'METHOD_NOT_ALLOWED', timestamp: moment })
    expectError(await server.call('/admin/llm/config', { method: 'PUT', body: '{' }), 400, 'BAD_REQUEST')
    expectError(await server.call('/admin/llm/history?range=1y'), 400, 'BAD_REQUEST')
    expectError(await server.call('/admin/llm/history?service=moon'), 400, 'BAD_REQUEST')
    expectError(await server.call('/admin/llm/history?colour=red'), 400, 'BAD_REQUEST')
    expectError(await server.call('/admin/llm/metrics/series?range=1y'), 400, 'BAD_REQUEST')
    expectError(await server.call('/admin/llm/metrics/models?range=90d'), 400, 'BAD_REQUEST')
  })
})

describe('the limits', () => {
  let tries = 0

  test('are 120 a minute for health, status and metrics together; 30 for the configuration', async () => {
    tries += 1
    const as = `prober-limit-${tries}`
    const first = await server.call('/api/llm/health', { as })
    expect(first.headers.get('x-ratelimit-limit')).toBe('120')
    const paths = [
      '/admin/llm/status/system',
      '/admin/llm/metrics/live',
      '/admin/llm/history',
      '/api/llm/health',
    ]
    // Seven at a time, so that a slow machine stays within the minute.
    for (let asked = 1; asked < 120; asked += 7) {
      const some = Array.from({ length: 7 }, (_, index) =>
        server.call(paths[(asked + index) % 4] ?? '', { as }),
      )
      expect(new Set((await Promise.all(some)).map(({ status }) => status))).toEqual(new Set([200]))
    }
    const refused = await server.call('/admin/llm/status/general', { as })
    expectError(refused, 429, 'RATE_LIMITED')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

    const config = await server.call('/admin/llm/config', { as })
    expect(config.headers.get('x-ratelimit-limit')).toBe('30')
    for (let asked = 1; asked < 30; asked += 1) await server.call('/admin/llm/config', { as })
    expectError(await server.call('/admin/llm/config', { as, method: 'PUT', body: {} }), 429, 'RATE_LIMITED')
    expectError(await server.call('/admin/llm/probe', { as, method: 'POST' }), 429, 'RATE_LIMITED')
    expect((await server.call('/admin/llm/config')).status).toBe(200)
  })
})
