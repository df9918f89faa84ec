import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { StepFailure } from '#engine'
import { version } from '../../src/app/version.ts'
import { answer } from '../database/engine-setting.ts'
import { eventually } from '../support/eventually.ts'
import { startOpenAiServer } from '../support/openai-server.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'

type OpenAi = Awaited<ReturnType<typeof startOpenAiServer>>

let openai: OpenAi
let server: OrchestraServer
/** HTTP steps wait for this. */
let released = Promise.withResolvers<void>()

beforeAll(async () => {
  openai = await startOpenAiServer({ models: ['gpt-4o'] })
  server = await startOrchestraServer({
    // Nothing listens at this node.
    environment: { OPENAI_BASE_URL: openai.baseUrl, CLUSTER_NODES: 'http://127.0.0.1:9' },
    runStep: () => async (run) => {
      await Promise.race([released.promise, aborted(run.signal)])
      if (run.step.id === 'fails') throw new StepFailure({ code: 'INVALID_STEP', message: 'As it should.' })
      return answer('done')
    },
  })
  // A provider that takes longer than two seconds is degraded.
  await eventually(async () => {
    const health = await server.models.providers.check()
    const { status, models } = health.find(({ name }) => name === 'openai') ?? {}
    return status === 'online' && models?.includes('gpt-4o')
  })
  await eventually(async () => (await server.metricsHistory.now()).process.sample.cpuPercent !== null)
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await openai[Symbol.asyncDispose]()
})

const step = (id: string) => ({ id, type: 'ai_prompt', prompt: 'Read {{content}}' })

async function enqueue(account: string, steps: readonly string[]): Promise<string> {
  const flowId = await server.save(steps.map(step))
  const { id } = await server.engine.executions.enqueue({
    flowId,
    flowVersion: 1,
    accountId: server.idOf(account),
    priority: 'normal',
    input: { context: { content: 'A text.' }, options: {}, memory: {} },
  })
  return id
}

const ended = (id: string) =>
  eventually(async () => (await server.engine.executions.read(id))?.finishedAt instanceof Date)

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

const epoch = () => expect.any(Number)

describe('live-status', () => {
  const started: string[] = []

  // No execution of an earlier attempt is running in the next one.
  afterEach(async () => {
    released.resolve()
    await Promise.all(started.splice(0).map(ended))
    await server.engine.history.roll()
    released = Promise.withResolvers()
  })

  test('returns every field, and every number is measured', async () => {
    const { status, headers, body } = await server.call('/live-status')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(body)).toEqual([
      'system_status',
      'active_workflows',
      'resource_usage',
      'ai_provider_status',
      'queue_status',
      'timestamp',
      'server_time',
    ])
    expect(body.system_status).toEqual({
      status: expect.stringMatching(/^(operational|partial)$/),
      uptime: expect.any(Number),
      version,
      environment: 'test',
    })
    const { cpu_usage, memory_usage, disk_usage, network_io, network_in, network_out } = body.resource_usage
    for (const percent of [cpu_usage, memory_usage, disk_usage]) {
      expect(percent).toBeGreaterThanOrEqual(0)
      expect(percent).toBeLessThanOrEqual(100)
    }
    if (network_io !== null) expect(Math.abs(network_io - network_in - network_out)).toBeLessThanOrEqual(1)
    expect(body.ai_provider_status.openai).toEqual({
      status: 'online',
      response_time: expect.any(Number),
      active_connections: 0,
      models_available: ['gpt-4o'],
      rate_limit_remaining: null,
      last_error: null,
      checked_at: epoch(),
      since: epoch(),
    })
    expect(body.ai_provider_status.anthropic).toMatchObject({
      status: 'unconfigured',
      response_time: null,
      models_available: [],
      last_error: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
    expect(Object.keys(body.ai_provider_status)).toEqual([
      'ollama',
      'openai',
      'anthropic',
      'gemini',
      'builtin',
    ])
    expect(Object.keys(body.queue_status)).toEqual([
      'pending_items',
      'processing_rate',
      'estimated_wait',
      'failed_items_24h',
    ])
    expect(Math.abs(body.timestamp - Date.now() / 1000)).toBeLessThan(60)
    expect(Math.floor(Date.parse(body.server_time) / 1000)).toBe(body.timestamp)
  })

  test('shows running executions to permitted accounts, and counts failed ones', async () => {
    const before = (await server.call('/live-status')).body.queue_status.failed_items_24h
    const [mine, other] = [await enqueue('nora', ['first', 'fails']), await enqueue('otto', ['first'])]
    started.push(mine, other)
    await eventually(
      async () => (await server.call('/live-status', { as: 'mara' })).body.active_workflows.length === 2,
    )
    // An execution is running a moment before its first step.
    await expect
      .poll(async () => (await server.call('/live-status', { as: 'nora' })).body.active_workflows)
      .toEqual([
        {
          id: mine,
          workflow_id: expect.stringMatching(/^flow_/),
          started_at: epoch(),
          progress: 0,
          current_step: 'first',
          estimated_completion: null,
        },
      ])
    const all = (await server.call('/live-status', { as: 'mara' })).body.active_workflows
    expect(all.map(({ id }: { id: string }) => id)).toEqual([mine, other])
    expect((await server.call('/live-status', { as: 'vera' })).body.active_workflows).toEqual([])
    await eventually(async () => {
      const now = new Date()
      const from = new Date(now.getTime() - 60_000)
      return (
        (await server.metricsHistory.read({ from, to: now, grain: 'minute' })).peak('running_executions') ===
        2
      )
    })
    released.resolve()
    await Promise.all([ended(mine), ended(other)])
    await server.engine.history.roll()
    const after = (await server.call('/live-status')).body
    expect(after.active_workflows).toEqual([])
    expect(after.queue_status.failed_items_24h).toBe(before + 1)
    expect(after.queue_status.processing_rate).toBeGreaterThan(0)
    expect(after.queue_status).toMatchObject({ pending_items: 0, estimated_wait: 0 })
  })

  test('requires a permission of workflows', async () => {
    const { status, body } = await server.call('/live-status', { as: '' })
    expect(status).toBe(401)
    expect(body.error).toMatchObject({ code: 'AUTHENTICATION_REQUIRED', request_id: expect.any(String) })
  })
})

const advisesLargerPool = ({ body }: { body: { recommendations: string[] } }) =>
  body.recommendations.some((text) => text.includes('DATABASE_POOL_SIZE'))

describe('health', () => {
  test('has every component with its numbers', async () => {
    const { status, body } = await server.call('/health')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([
      'overall_status',
      'health_score',
      'components',
      'performance_metrics',
      'alerts',
      'recommendations',
      'next_maintenance',
      'timestamp',
    ])
    const { components } = body
    expect(components.orchestrator).toEqual({
      status: expect.stringMatching(/^(healthy|partial)$/),
      response_time: expect.any(Number),
      uptime: expect.any(Number),
      last_restart: epoch(),
    })
    expect(components.queue_processor).toEqual({
      status: 'healthy',
      queue_size: 0,
      processing_rate: expect.any(Number),
      failed_jobs_24h: expect.any(Number),
    })
    expect(components.ai_providers).toEqual({
      status: 'partial',
      healthy_providers: 2,
      total_providers: 3,
      degraded_providers: ['ollama'],
    })
    expect(components.database).toEqual({
      status: expect.stringMatching(/^(healthy|partial)$/),
      connection_pool: {
        total: expect.any(Number),
        idle: expect.any(Number),
        in_use: expect.any(Number),
        waiting: expect.any(Number),
      },
      query_performance: expect.any(Number),
      replication_lag: null,
    })
    expect(components.database.query_performance).toBeGreaterThan(0)
    expect(components.cache).toEqual({
      status: 'healthy',
      hit_rate: null,
      memory_usage: 0,
      memory_bytes: 0,
      eviction_rate: null,
    })
    const { avg_response_time, throughput, error_rate, availability } = body.performance_metrics
    expect(avg_response_time).toBeGreaterThan(0)
    expect(throughput).toBeGreaterThan(0)
    expect(error_rate).toBe(0)
    expect(availability).toBe(100)
    expect(body.next_maintenance).toBeNull()
    expect(body.health_score).toBeGreaterThan(50)
    expect(body.health_score).toBeLessThan(100)
    expect(body.alerts).toContainEqual({
      level: 'warning',
      component: 'ai_providers',
      message: expect.stringMatching(/^Provider ollama is offline: /),
      since: epoch(),
      impact: 'Its models are unavailable; openai can be used.',
    })
    expect(body.recommendations).toContain(
      'Check the address and the key of ollama, and allow a fallback to other providers.',
    )
  })

  test('adds details on request', async () => {
    const { body } = await server.call('/health?include_details=true')
    expect(body.details.processes).toEqual([
      {
        id: expect.any(String),
        host: expect.any(String),
        pid: process.pid,
        started_at: epoch(),
        seen_at: epoch(),
        cpu_usage: expect.any(Number),
        memory_bytes: expect.any(Number),
        event_loop_delay: expect.any(Number),
      },
    ])
    expect(body.details.workers).toEqual([
      { id: expect.any(String), name: expect.any(String), alive: true, heartbeat_at: epoch() },
    ])
    expect(body.details.providers.map(({ name }: { name: string }) => name)).toEqual([
      'ollama',
      'openai',
      'anthropic',
      'gemini',
      'builtin',
    ])
    expect(body.details.interfaces).toContainEqual({
      name: 'orchestra',
      requests: expect.any(Number),
      avg_response_time: expect.any(Number),
    })
    expect(body.details.thresholds).toMatchObject({ cpu_usage: 90, error_rate: 5 })
  })

  test('probes providers on request only', async () => {
    await openai.close()
    const asked = openai.requests.length
    expect((await server.call('/health')).body.components.ai_providers.healthy_providers).toBe(2)
    expect(openai.requests.length).toBe(asked)
    const { body } = await server.call('/health?check_providers=true')
    expect(body.components.ai_providers).toMatchObject({
      status: 'offline',
      healthy_providers: 1,
      degraded_providers: ['ollama', 'openai'],
    })
    expect(body.alerts[0]).toMatchObject({
      level: 'critical',
      impact: 'No language model is available; only the built-in analysis responds.',
    })
    expect((await server.call('/live-status')).body).toMatchObject({
      system_status: { status: 'partial' },
      ai_provider_status: { openai: { status: 'offline', models_available: [] } },
    })
    await openai.open()
    await expect
      .poll(async () => (await server.call('/health?check_providers=true')).body.components.ai_providers)
      .toMatchObject({ healthy_providers: 2 })
  })

  test('detects a connection pool that is too small by its own queries', async () => {
    const environment = { DATABASE_POOL_SIZE: '2' }
    await using database = await createTestDatabase({ environment })
    // Only the samples of the pool are frequent: with more queries, they alone would keep a slow machine busy.
    const metricsHistory = { sampleEveryMs: 500, gaugeEveryMs: 500, flushEveryMs: 500, poolEveryMs: 100 }
    await using small = await startOrchestraServer({ database, metricsHistory })
    const isIdle = async () => {
      const health = await small.call('/health')
      const { connection_pool: pool } = health.body.components.database
      // The status also depends on the speed of the machine.
      return pool.waiting === 0 && !advisesLargerPool(health)
    }
    await eventually(isIdle, 100)

    const enough = new AbortController()
    const load = Array.from({ length: 6 }, async () => {
      while (!enough.signal.aborted) await database.query('select pg_sleep(0.02)')
    })
    try {
      await eventually(async () => {
        const health = await small.call('/health')
        const { status, connection_pool: pool } = health.body.components.database
        return status === 'partial' && pool.waiting > 0 && advisesLargerPool(health)
      }, 100)
    } finally {
      enough.abort()
      await Promise.all(load)
    }
    await eventually(isIdle, 100)
  })

  test('reports that no worker is alive', async () => {
    await using alone = await startOrchestraServer({ role: 'api' })
    const { body } = await alone.call('/health')
    expect(body.overall_status).toBe('offline')
    expect(body.components.queue_processor.status).toBe('offline')
    expect(body.alerts).toContainEqual(
      expect.objectContaining({ level: 'critical', message: 'No worker runs executions.' }),
    )
    expect((await alone.call('/live-status')).body.system_status.status).toBe('offline')
  })

  test('is 503 in the format of this API while the database is unavailable', async () => {
    await using broken = await startOrchestraServer()
    await broken.database.close()
    for (const path of ['/live-status', '/health', '/metrics/performance']) {
      const { status, body } = await broken.call(path, { as: 'mara' })
      expect(status).toBe(503)
      expect(body.error).toMatchObject({
        code: 'SYSTEM_OVERLOADED',
        timestamp: epoch(),
        request_id: expect.any(String),
        documentation: expect.stringContaining('/docs#orchestra'),
      })
    }
  })
})

test.each([
  ['/health?include_details=perhaps', 'include_details'],
  ['/health?check_providers=2', 'check_providers'],
  ['/health?details=true', 'details'],
  ['/metrics/performance?timeframe=2h', 'timeframe'],
  ['/metrics/performance?granularity=second', 'granularity'],
  ['/metrics/performance?timeframe=1h&granularity=day', 'granularity'],
  ['/metrics/performance?timeframe=7d&granularity=minute', 'granularity'],
  ['/metrics/performance?timeframe=30d&granularity=minute', 'granularity'],
  ['/metrics/performance?metrics=response_times,speed', 'metrics'],
  ['/metrics/performance?include_predictions=maybe', 'include_predictions'],
])('%s is refused, with the reason', async (path, field) => {
  const { status, body } = await server.call(path, { as: 'mara' })
  expect(status).toBe(400)
  expect(body.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    timestamp: epoch(),
    request_id: expect.any(String),
  })
  expect(JSON.stringify(body.error.details.problems)).toContain(field)
})
