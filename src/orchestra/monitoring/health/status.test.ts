import { expect, test } from 'vitest'
import { findAlerts } from './alerts.ts'
import { exampleMinute, exampleProvider, exampleStats } from './example-stats.ts'
import { componentStatuses, overallStatusOf, scoreOf } from './status.ts'

const { queue, database, cache, process } = exampleStats()

const statusFor = (more: Parameters<typeof exampleStats>[0] = {}) => {
  const stats = exampleStats(more)
  const components = componentStatuses(stats)
  return {
    components,
    overall: overallStatusOf(components),
    score: scoreOf(components, stats),
    found: findAlerts(stats),
  }
}

/** The last hour, with a condition that holds for the last minutes. */
const minutesWith = (lasting: number, stats: Parameters<typeof exampleMinute>[1]) =>
  Array.from({ length: 60 }, (_, index) => exampleMinute(59 - index, index >= 60 - lasting ? stats : {}))

test('a healthy platform has a full score and no alerts', () => {
  expect(statusFor()).toMatchObject({ overall: 'healthy', score: 100, found: [] })
})

test('providers count by the share that is online', () => {
  const providers = [
    exampleProvider({ name: 'openai', status: 'degraded', lastError: 'It took 2500 ms to answer.' }),
    exampleProvider({ name: 'anthropic', status: 'unconfigured' }),
    exampleProvider({ name: 'builtin' }),
  ]
  const { overall, score, found } = statusFor({ providers })
  // Of 20 points three quarters.
  expect([overall, score]).toEqual(['partial', 95])
  expect(found).toHaveLength(1)
  expect(found[0]?.alert).toMatchObject({
    level: 'warning',
    since: Date.parse('2026-03-01T11:00:00Z') / 1000,
    impact: 'Its responses may be slow or fail.',
  })
})

test('without a language model providers are offline, and executions still run', () => {
  const providers = [
    exampleProvider({ name: 'ollama', status: 'offline' }),
    exampleProvider({ name: 'builtin' }),
  ]
  const { components, overall, found } = statusFor({ providers })
  expect(components.ai_providers).toBe('offline')
  expect(overall).toBe('partial')
  expect(found[0]?.alert.level).toBe('critical')
})

test('a platform with only the built-in provider is healthy', () => {
  const providers = [
    exampleProvider({ name: 'openai', status: 'unconfigured' }),
    exampleProvider({ name: 'builtin' }),
  ]
  expect(statusFor({ providers })).toMatchObject({ overall: 'healthy', score: 100 })
})

test('without a worker the platform is offline', () => {
  const workers = queue.workers.map((worker) => ({ ...worker, alive: false }))
  const { overall, score, found } = statusFor({ queue: { ...queue, workers, pending: 3 } })
  expect([overall, score]).toEqual(['offline', 80])
  expect(found[0]?.alert.impact).toContain('3 executions wait')
})

test('a stuck queue is an alert, with the minute since it is stuck', () => {
  const stuck = { ...queue, due: 2, pending: 2, waitMs: null }
  expect(statusFor({ queue: stuck }).found).toEqual([])
  const minutes = minutesWith(7, { gauges: { queued_executions: 2 } })
  expect(statusFor({ queue: stuck, minutes }).found[0]?.alert).toMatchObject({
    component: 'queue_processor',
    since: Date.parse('2026-03-01T11:54:00Z') / 1000,
    impact: 'No execution starts.',
  })
})

test('errors of many requests are an alert, of a few they are not', () => {
  const few = statusFor({ minutes: minutesWith(3, { count: 2, errors: 2 }) })
  expect(few.found).toEqual([])
  const many = statusFor({ minutes: minutesWith(3, { count: 100, errors: 10 }) })
  expect(many.components.orchestrator).toBe('partial')
  expect(many.found[0]?.alert).toMatchObject({
    level: 'critical',
    since: Date.parse('2026-03-01T11:58:00Z') / 1000,
  })
})

test.each([
  ['processors', { minutes: minutesWith(10, { gauges: { cpu_percent: 92 } }) }],
  ['memory', { process: { ...process, sample: { ...process.sample, memoryPercent: 95 } } }],
  ['disk', { process: { ...process, sample: { ...process.sample, diskPercent: 99 } } }],
] as const)('%s at the limit make the orchestrator partial', (_, more) => {
  const { components, score, found } = statusFor(more)
  expect(components.orchestrator).toBe('partial')
  expect(score).toBe(85)
  expect(found).toHaveLength(1)
})

test('a delayed event loop is an alert', () => {
  const late = statusFor({ minutes: minutesWith(6, { gauges: { event_loop_delay_ms: 150 } }) })
  expect(late.found[0]?.alert.message).toContain('150 ms on average')
})

test('a slow database and a small pool are alerts', () => {
  expect(statusFor({ database: { ...database, queryMs: 300 } }).found[0]?.alert.message).toContain('300 ms')
  const waiting = statusFor({ database: { ...database, pool: { total: 5, idle: 0, waiting: 4 } } })
  expect(waiting.found[0]?.recommendation).toContain('DATABASE_POOL_SIZE')
})

test('a disabled cache costs no points, a small one does', () => {
  expect(statusFor({ cache: { ...cache, enabled: false } })).toMatchObject({ overall: 'healthy', score: 100 })
  const small = statusFor({ cache: { ...cache, stored: 10, evicted: 6 } })
  expect(small.components.cache).toBe('partial')
  expect(small.score).toBe(98)
  expect(small.found[0]?.recommendation).toBe('Raise MODEL_CACHE_SIZE.')
})
