import { expect, test } from 'vitest'
import { findTrouble } from './alerts.ts'
import { exampleFacts, exampleMinute, exampleProvider } from './example-facts.ts'
import { judgeComponents, overallOf, scoreOf } from './judge.ts'

const { queue, database, cache, process } = exampleFacts()

const judge = (more: Parameters<typeof exampleFacts>[0] = {}) => {
  const facts = exampleFacts(more)
  const components = judgeComponents(facts)
  return {
    components,
    overall: overallOf(components),
    score: scoreOf(components, facts),
    trouble: findTrouble(facts),
  }
}

/** The last hour, in which something held for the last minutes. */
const minutesWith = (lasting: number, facts: Parameters<typeof exampleMinute>[1]) =>
  Array.from({ length: 60 }, (_, index) => exampleMinute(59 - index, index >= 60 - lasting ? facts : {}))

test('a platform that is well has all points and nothing to tell', () => {
  expect(judge()).toMatchObject({ overall: 'healthy', score: 100, trouble: [] })
})

test('providers count by the share of them that is online', () => {
  const providers = [
    exampleProvider({ name: 'openai', status: 'degraded', lastError: 'It took 2500 ms to answer.' }),
    exampleProvider({ name: 'anthropic', status: 'unconfigured' }),
    exampleProvider({ name: 'builtin' }),
  ]
  const { overall, score, trouble } = judge({ providers })
  // Of 20 points three quarters.
  expect([overall, score]).toEqual(['partial', 95])
  expect(trouble).toHaveLength(1)
  expect(trouble[0]?.alert).toMatchObject({
    level: 'warning',
    since: Date.parse('2026-03-01T11:00:00Z') / 1000,
    impact: 'Its answers may be slow or fail.',
  })
})

test('without a single language model providers are offline, and executions still run', () => {
  const providers = [
    exampleProvider({ name: 'ollama', status: 'offline' }),
    exampleProvider({ name: 'builtin' }),
  ]
  const { components, overall, trouble } = judge({ providers })
  expect(components.ai_providers).toBe('offline')
  expect(overall).toBe('partial')
  expect(trouble[0]?.alert.level).toBe('critical')
})

test('only what is built in is nothing to worry about', () => {
  const providers = [
    exampleProvider({ name: 'openai', status: 'unconfigured' }),
    exampleProvider({ name: 'builtin' }),
  ]
  expect(judge({ providers })).toMatchObject({ overall: 'healthy', score: 100 })
})

test('without a worker nothing works', () => {
  const workers = queue.workers.map((worker) => ({ ...worker, alive: false }))
  const { overall, score, trouble } = judge({ queue: { ...queue, workers, pending: 3 } })
  expect([overall, score]).toEqual(['offline', 80])
  expect(trouble[0]?.alert.impact).toContain('3 executions wait')
})

test('a queue that does not move is told, with the minute since which it does not', () => {
  const stuck = { ...queue, due: 2, pending: 2, waitMs: null }
  expect(judge({ queue: stuck }).trouble).toEqual([])
  const minutes = minutesWith(7, { gauges: { queued_executions: 2 } })
  expect(judge({ queue: stuck, minutes }).trouble[0]?.alert).toMatchObject({
    component: 'queue_processor',
    since: Date.parse('2026-03-01T11:54:00Z') / 1000,
    impact: 'Nothing moves.',
  })
})

test('errors of many requests are told, and of a few are not', () => {
  const few = judge({ minutes: minutesWith(3, { count: 2, errors: 2 }) })
  expect(few.trouble).toEqual([])
  const many = judge({ minutes: minutesWith(3, { count: 100, errors: 10 }) })
  expect(many.components.orchestrator).toBe('partial')
  expect(many.trouble[0]?.alert).toMatchObject({
    level: 'critical',
    since: Date.parse('2026-03-01T11:58:00Z') / 1000,
  })
})

test.each([
  ['processors', { minutes: minutesWith(10, { gauges: { cpu_percent: 92 } }) }],
  ['memory', { process: { ...process, sample: { ...process.sample, memoryPercent: 95 } } }],
  ['disk', { process: { ...process, sample: { ...process.sample, diskPercent: 99 } } }],
] as const)('%s at the limit make the orchestrator partial', (_, more) => {
  const { components, score, trouble } = judge(more)
  expect(components.orchestrator).toBe('partial')
  expect(score).toBe(85)
  expect(trouble).toHaveLength(1)
})

test('an event loop that is late is told', () => {
  const late = judge({ minutes: minutesWith(6, { gauges: { event_loop_delay_ms: 150 } }) })
  expect(late.trouble[0]?.alert.message).toContain('150 ms late')
})

test('a slow database, and a pool that is too small, are told', () => {
  expect(judge({ database: { ...database, queryMs: 300 } }).trouble[0]?.alert.message).toContain('300 ms')
  const waiting = judge({ database: { ...database, pool: { total: 5, idle: 0, waiting: 4 } } })
  expect(waiting.trouble[0]?.recommendation).toContain('DATABASE_POOL_SIZE')
})

test('a cache that is switched off costs no points, one that is too small does', () => {
  expect(judge({ cache: { ...cache, enabled: false } })).toMatchObject({ overall: 'healthy', score: 100 })
  const small = judge({ cache: { ...cache, stored: 10, evicted: 6 } })
  expect(small.components.cache).toBe('partial')
  expect(small.score).toBe(98)
  expect(small.trouble[0]?.recommendation).toBe('Raise MODEL_CACHE_SIZE.')
})
