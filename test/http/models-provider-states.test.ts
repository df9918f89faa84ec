import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { createEncryption, encryptionSettings } from '#kernel/encryption'
import { createEvents, type Events } from '#kernel/events'
import { perCaller } from '#kernel/http'
import { createLimiter } from '#kernel/limits'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createModels, type Models, modelsSettings, type ProviderView, providerStatusChanged } from '#models'
import { findFreePort } from '../support/free-port.ts'
import { startOpenAiServer } from '../support/openai-server.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })
const metrics = createMetrics({ watchProcess: false })
const plenty = { requestsPerHour: 1000, concurrentWorkflows: 10, microDollarsPerDay: 1_000_000 }
const perHour = { limit: 1000, windowSeconds: 3600 }

let database: TestDatabase
let events: Events
let opened: AsyncDisposableStack

beforeAll(async () => {
  database = await createTestDatabase()
  events = createEvents({ database, log, metrics })
})

afterAll(async () => {
  await events.close()
  await database.close()
})

beforeEach(async () => {
  opened = new AsyncDisposableStack()
  await database.query('truncate model_provider_states, kernel_events')
})

afterEach(() => opened.disposeAsync())

/** One replica whose OpenAI is at this address. */
async function openModels(openaiBaseUrl: string): Promise<Models> {
  return opened.use(
    await createModels({
      database,
      events,
      encryption: createEncryption({ settings: readSettings(encryptionSettings, {}), database, dataDir: '' }),
      tiers: {
        limitsOfTier: () => plenty,
        requestsPerHour: perCaller({ name: 'test', signedIn: perHour, anonymous: perHour }),
      },
      limiter: opened.use(createLimiter({ database, log, metrics })),
      cluster: undefined,
      clusterService: { url: 'http://127.0.0.1:9', apiKey: undefined },
      settings: readSettings(modelsSettings, {
        RUNTIME_NODE_URL: 'http://127.0.0.1:9',
        OPENAI_BASE_URL: openaiBaseUrl,
      }),
      log,
      metrics,
    }),
  )
}

/** A provider with a scripted list of models. */
async function openProvider() {
  let [delayMs, status] = [0, 200]
  const server = createServer((_request, response) => void answer(response))
  async function answer(response: ServerResponse): Promise<void> {
    await setTimeout(delayMs)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ object: 'list', data: [{ id: 'gpt-4o', object: 'model', owned_by: 'us' }] }),
    )
  }
  // No other server gets the port while this one is away.
  const port = await findFreePort()
  await listen(server, port)
  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  opened.defer(close)
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    answers(how: { readonly delayMs?: number; readonly status?: number }) {
      delayMs = how.delayMs ?? 0
      status = how.status ?? 200
    },
    leave: close,
    comeBack: () => listen(server, port),
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

const openaiIn = (views: readonly ProviderView[]) => views.find(({ name }) => name === 'openai')

/** Runs the probe of the prober, and returns the published state. */
async function probe(models: Models): Promise<ProviderView | undefined> {
  await models.providers.probe({})
  return openaiIn(await models.providers.states())
}

async function changes(): Promise<readonly unknown[]> {
  const page = await events.read({ after: 0, limit: 100, types: [providerStatusChanged] })
  return page.events.map(({ data, subject }) => ({ subject, ...data }))
}

describe('a provider that is probed', () => {
  test('is published with its models, and replicas that never called it know it as well', async () => {
    const provider = await openProvider()
    const models = await openModels(provider.baseUrl)
    const seen = await probe(models)
    expect(seen).toEqual({
      name: 'openai',
      status: 'online',
      responseMs: expect.any(Number),
      models: ['gpt-4o'],
      lastError: null,
      checkedAt: expect.any(Date),
      changedAt: seen?.checkedAt,
      activeCalls: 0,
      rateLimitRemaining: null,
    })
    const elsewhere = await openModels('http://127.0.0.1:9/v1')
    expect(openaiIn(await elsewhere.providers.states())).toEqual(seen)
    expect((await models.providers.states()).map(({ name }) => name)).toEqual([
      'ollama',
      'openai',
      'anthropic',
      'gemini',
      'builtin',
    ])
    expect(await changes()).toEqual([])
  })

  test('is offline at once when its connection is refused, and back after two good probes', async () => {
    const provider = await openProvider()
    const models = await openModels(provider.baseUrl)
    await probe(models)
    await provider.leave()
    const gone = await probe(models)
    expect(gone).toMatchObject({ status: 'offline', responseMs: null, models: [] })
    expect(gone?.lastError).toContain('ECONNREFUSED')
    await provider.comeBack()
    expect(await probe(models)).toMatchObject({ status: 'offline', lastError: null })
    expect(await probe(models)).toMatchObject({ status: 'online', models: ['gpt-4o'] })
    expect(await changes()).toEqual([
      {
        subject: 'openai',
        provider: 'openai',
        status: 'offline',
        previous_status: 'online',
        response_time_ms: null,
        last_error: gone?.lastError,
        models_available: 0,
      },
      expect.objectContaining({ subject: 'openai', status: 'online', previous_status: 'offline' }),
    ])
  })

  test('that fails once stays online, and twice goes offline', async () => {
    const provider = await openProvider()
    const models = await openModels(provider.baseUrl)
    await probe(models)
    provider.answers({ status: 500 })
    expect(await probe(models)).toMatchObject({ status: 'online', lastError: expect.any(String) })
    provider.answers({})
    expect(await probe(models)).toMatchObject({ status: 'online', lastError: null })
    provider.answers({ status: 500 })
    await probe(models)
    expect(await probe(models)).toMatchObject({ status: 'offline' })
    expect(await changes()).toHaveLength(1)
  })

  test('that is slow is degraded', async () => {
    const provider = await openProvider()
    provider.answers({ delayMs: 2100 })
    const models = await openModels(provider.baseUrl)
    const slow = await probe(models)
    expect(slow?.status).toBe('degraded')
    expect(slow?.responseMs).toBeGreaterThan(2000)
    expect(slow?.lastError).toMatch(/^It took \d+ ms to respond\.$/)
  })

  test('without any probe yet is probed by the first request', async () => {
    const provider = await openProvider()
    const models = await openModels(provider.baseUrl)
    const views = await models.providers.states()
    expect(openaiIn(views)).toMatchObject({ status: 'online', models: ['gpt-4o'] })
    expect(views.map(({ name, status }) => [name, status])).toEqual([
      ['ollama', 'offline'],
      ['openai', 'online'],
      ['anthropic', 'unconfigured'],
      ['gemini', 'unconfigured'],
      ['builtin', 'online'],
    ])
    expect(await database.query('select from model_provider_states')).toHaveLength(0)
  })

  test('is probed by two replicas concurrently, and a change is published once', async () => {
    const provider = await openProvider()
    const [one, other] = [await openModels(provider.baseUrl), await openModels(provider.baseUrl)]
    await probe(one)
    await provider.leave()
    await Promise.all([probe(one), probe(other)])
    expect(await changes()).toHaveLength(1)
  })
})

describe('calls of this process', () => {
  test('are counted while they run, and the remaining quota of the provider is stored', async () => {
    await using server = await startOpenAiServer({ models: ['gpt-4o'] })
    const models = await openModels(server.baseUrl)
    const released = Promise.withResolvers<void>()
    server.script({ steps: [{ text: 'One' }, { until: released.promise }, { text: ' two' }] })
    const answer = await ask(models)
    expect(openaiIn(await models.providers.states())?.activeCalls).toBe(1)
    released.resolve()
    for await (const part of answer.parts) if (part.type === 'end') break
    await answer.cost
    expect(openaiIn(await models.providers.states())?.activeCalls).toBe(0)
    server.script({ status: 429, headers: { 'x-ratelimit-remaining-requests': '7' } })
    await expect(ask(models)).rejects.toMatchObject({ code: 'provider_rate_limited' })
    expect(openaiIn(await models.providers.states())).toMatchObject({
      activeCalls: 0,
      rateLimitRemaining: 7,
    })
  })

  test('count the outcomes of recent responses', async () => {
    await using server = await startOpenAiServer({ models: ['gpt-4o'] })
    const models = await openModels(server.baseUrl)
    for (let time = 0; time < 2; time += 1) {
      const answer = await ask(models, 'use')
      for await (const part of answer.parts) if (part.type === 'end') break
    }
    const figures = models.responseCache()
    expect(figures).toMatchObject({ enabled: true, hits: 1, misses: 1, stored: 1, answers: 1, evicted: 0 })
    expect(figures.bytes).toBeGreaterThan(0)
    expect(figures.maxBytes).toBeGreaterThan(figures.bytes)
  })
})

function ask(models: Models, cache: 'use' | 'off' = 'off') {
  return models.gateway.chat({
    accountId: 'nadia',
    budget: { reserve: async () => ({ settle: async () => undefined }) },
    fallback: 'none',
    signal: AbortSignal.timeout(40_000),
    source: 'test',
    call: {
      model: 'openai/gpt-4o',
      kind: 'chat',
      messages: [{ role: 'user', content: 'Count.' }],
      temperature: 0,
    },
    cache,
  })
}
