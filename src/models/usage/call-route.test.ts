import { expect, test } from 'vitest'
import { createCallRoute } from './call-route.ts'

const violin = { provider: 'openai', model: { id: 'violin' } }
const viola = { provider: 'anthropic', model: { id: 'viola' } }
const cello = { provider: 'ollama', model: { id: 'cello' } }

test('lists the candidates in their order with what became of each', () => {
  const route = createCallRoute('violin')
  route.setCandidates([violin, viola, cello])
  route.add(violin, { outcome: 'failed', code: 'provider_unavailable', started_ms: 0, duration_ms: 12 })
  const steps = route.describe(viola, { outcome: 'answered', started_ms: 12, duration_ms: 30 })
  expect(steps).toEqual([
    {
      provider: 'openai',
      model: 'violin',
      reason: 'requested',
      outcome: 'failed',
      code: 'provider_unavailable',
      started_ms: 0,
      duration_ms: 12,
    },
    {
      provider: 'anthropic',
      model: 'viola',
      reason: 'fallback',
      outcome: 'answered',
      code: null,
      started_ms: 12,
      duration_ms: 30,
    },
    {
      provider: 'ollama',
      model: 'cello',
      reason: 'fallback',
      outcome: 'not_tried',
      code: null,
      started_ms: null,
      duration_ms: null,
    },
  ])
})

test('marks the model that auto stands for', () => {
  const route = createCallRoute('auto')
  route.setCandidates([violin])
  expect(route.describe(violin, { outcome: 'answered' })).toMatchObject([{ reason: 'default' }])
})

test('names the route with its targets; a model that is not one of them is a fallback', () => {
  const quick = { name: 'quick', version: 3, strategy: 'weighted', reason: 'weight 75 %' }
  const route = createCallRoute('quick')
  route.setRoute({ ...quick, entries: [violin, viola] })
  route.setCandidates([violin, viola, cello])
  route.add(violin, { outcome: 'failed', code: 'provider_unavailable' })
  expect(route.describe(viola, { outcome: 'answered' })).toMatchObject([
    { model: 'violin', reason: 'route', outcome: 'failed', route: quick },
    { model: 'viola', reason: 'route', outcome: 'answered', route: quick },
    { model: 'cello', reason: 'fallback', outcome: 'not_tried' },
  ])
  expect(route.describe()[2]).not.toHaveProperty('route')
})

test('keeps at most 32 steps, of names that the database can store', () => {
  const route = createCallRoute('x')
  const odd = { provider: 'ollama', model: { id: `a\0b${'c'.repeat(500)}` } }
  route.setCandidates([odd])
  for (let attempt = 0; attempt < 100; attempt += 1) route.add(odd, { outcome: 'failed', code: 'timeout' })
  const steps = route.describe()
  expect(steps).toHaveLength(32)
  expect(steps[0]?.model).toBe(`ab${'c'.repeat(197)}`)
})
