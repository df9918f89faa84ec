import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { type StatusServer, startStatusServer } from './status-server.ts'

let openai: OpenAiServer
let server: StatusServer

beforeAll(async () => {
  openai = await startOpenAiServer({ models: ['gpt-4o-mini', 'gpt-4o'] })
  server = await startStatusServer({
    environment: { OPENAI_BASE_URL: openai.baseUrl, OPENAI_API_KEY: 'sk-test' },
  })
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await openai[Symbol.asyncDispose]()
})

interface PastCall {
  readonly model?: string
  readonly minutesAgo: number
  readonly latencyMs?: number
  readonly firstTokenMs?: number | null
  readonly input?: number
  readonly output?: number
  readonly outcome?: string
  readonly cacheHit?: boolean
}

/** Recorded calls. */
async function book(...calls: readonly PastCall[]): Promise<void> {
  for (const call of calls) {
    const at = new Date(Date.now() - call.minutesAgo * 60_000)
    const digits = at.getTime().toString(16).padStart(12, '0')
    const id = `${digits.slice(0, 8)}-${digits.slice(8)}-7${randomUUID().slice(15)}`
    const { model = 'gpt-4o-mini', latencyMs = 100, firstTokenMs = 20, input = 10, output = 5 } = call
    await server.database.query(
      `
        insert into model_calls (
          id, account_id, source, provider, model, requested_model, started_at, input_tokens, output_tokens, price_source,
          estimated, latency_ms, first_token_ms, outcome, cache_hit, attempts
        )
        values ($1, 'a', 'gateway', 'openai', $2, $2, $3, $4, $5, 'unpriced', false, $6, $7, $8, $9, 1)
      `,
      [
        id,
        model,
        at,
        input,
        output,
        latencyMs,
        firstTokenMs,
        call.outcome ?? 'answered',
        call.cacheHit ?? false,
      ],
    )
  }
}

const read = async (path: string) => (await server.call(`/admin/llm/metrics/${path}`)).body

describe('live metrics', () => {
  test('have every field, and follow the activity', async () => {
    const before = await server.call('/admin/llm/metrics/live')
    expect(before.status).toBe(200)
    expect(before.headers.get('cache-control')).toBe('public, max-age=60')
    expect(before.headers.get('vary')).toBe('Authorization, Cookie, X-API-Key')
    expect(before.body).toEqual({
      totalRequests: expect.any(Number),
      totalTokens: 0,
      averageResponseTime: expect.any(Number),
      modelsActive: 0,
      uptime: expect.stringMatching(/^\d+[dhms]( \d+[hms])?$/),
      timestamp: expect.stringMatching(/Z$/),
      uptimeSeconds: expect.any(Number),
      requestsPerMinute: expect.any(Number),
    })
    for (let count = 0; count < 3; count += 1) {
      openai.script({ steps: [{ text: 'Blue' }], usage: { input: 100, output: 20 } })
      await ask()
    }
    // Calls are recorded in batches, a moment after their responses.
    await expect
      .poll(() => read('live'))
      .toMatchObject({
        totalTokens: 360,
        modelsActive: 1,
        totalRequests: expect.toSatisfy((count: number) => count > before.body.totalRequests),
        averageResponseTime: expect.toSatisfy((ms: number) => ms > 0),
        requestsPerMinute: expect.toSatisfy((count: number) => count > 0),
      })
  })

  test('require administrators', async () => {
    for (const path of ['live', 'series', 'models']) {
      const answer = await server.call(`/admin/llm/metrics/${path}`, { as: '' })
      expect(answer.body.error).toBe('UNAUTHORIZED')
      expect((await server.call(`/admin/llm/metrics/${path}`, { as: 'vera' })).body.error).toBe('FORBIDDEN')
    }
  })
})

async function ask(): Promise<void> {
  const { parts, cost } = await server.models.gateway.chat({
    call: {
      model: 'openai/gpt-4o-mini',
      kind: 'chat',
      messages: [{ role: 'user', content: 'What colour is the sky?' }],
    },
    accountId: 'an-account',
    budget: server.models.accountBudgetOf({ accountId: 'an-account', microDollarsPerDay: 1_000_000 }),
    fallback: 'none',
    cache: 'off',
    source: 'gateway',
    signal: AbortSignal.timeout(40_000),
  })
  for await (const part of parts) void part
  await cost
}

describe('the series', () => {
  test.each([
    ['1h', 'minute', 60],
    ['24h', 'hour', 24],
    ['30d', 'day', 30],
    ['90d', 'day', 90],
  ])('of %s has every %s, the current one last', async (range, grain, points) => {
    const answer = await read(`series?range=${range}`)
    expect(answer).toMatchObject({ range, grain, timestamp: expect.any(String) })
    expect(answer.points).toHaveLength(points)
    expect(answer.points.at(-1)).toEqual({
      at: expect.any(String),
      requests: expect.any(Number),
      errors: expect.any(Number),
      average_ms: expect.toSatisfy((value) => value === null || typeof value === 'number'),
      max_ms: expect.toSatisfy((value) => value === null || typeof value === 'number'),
      calls: expect.any(Number),
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
    })
    const total = (field: string) =>
      answer.points.reduce((sum: number, point: Record<string, number>) => sum + (point[field] ?? 0), 0)
    expect(total('requests')).toBeGreaterThan(0)
    // The calls of earlier tests.
    expect([total('calls'), total('input_tokens'), total('output_tokens')]).toEqual([3, 300, 60])
  })

  test('has the tokens in the minute of their use', async () => {
    await book(
      { minutesAgo: 30, input: 1000, output: 200 },
      { minutesAgo: 30, input: 1, output: 2 },
      { minutesAgo: 120, input: 7, output: 7 },
    )
    const { points } = await read('series?range=1h')
    const sum = (field: string) =>
      points
        .filter(({ calls }: { calls: number }) => calls > 0)
        .filter(({ at }: { at: string }) => Date.now() - Date.parse(at) > 20 * 60_000)
        .reduce((total: number, point: Record<string, number>) => total + (point[field] ?? 0), 0)
    expect([sum('calls'), sum('input_tokens'), sum('output_tokens')]).toEqual([2, 1001, 202])
  })
})

describe('model latency', () => {
  test('has percentiles, of whole responses and of first tokens', async () => {
    await book(
      ...Array.from({ length: 98 }, () => ({
        model: 'gpt-4o',
        minutesAgo: 10,
        latencyMs: 100,
        firstTokenMs: 30,
      })),
      { model: 'gpt-4o', minutesAgo: 10, latencyMs: 2000, firstTokenMs: 900 },
      { model: 'gpt-4o', minutesAgo: 10, latencyMs: 3000, firstTokenMs: null },
      { model: 'gpt-4o', minutesAgo: 10, latencyMs: 9000, firstTokenMs: null, outcome: 'failed' },
      { model: 'gpt-4o', minutesAgo: 10, latencyMs: 1, firstTokenMs: 1, cacheHit: true },
      { model: 'gpt-4o', minutesAgo: 3000, latencyMs: 50_000 },
    )
    const { range, models } = await read('models')
    expect(range).toBe('24h')
    expect(models.find(({ model }: { model: string }) => model === 'gpt-4o')).toEqual({
      provider: 'openai',
      model: 'gpt-4o',
      calls: 101,
      failures: 1,
      p50_ms: 100,
      p95_ms: 100,
      p99_ms: 2000,
      first_token: { p50_ms: 30, p95_ms: 30, p99_ms: 900, measured: 99 },
      input_tokens: 1010,
      output_tokens: 505,
    })
    const week = await read('models?range=7d')
    expect(week.models.find(({ model }: { model: string }) => model === 'gpt-4o').calls).toBe(102)
    expect((await read('models?range=1h')).models[0].model).toBe('gpt-4o')
  })
})
