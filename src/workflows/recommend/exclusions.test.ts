import { describe, expect, test } from 'vitest'
import { criteria } from '#executions-api'
import { exclusionsOf } from './recommend.ts'
import { sampleFlow, sampleModel, sampleRequirements } from './sample-flows.ts'

type Sample = Parameters<typeof sampleFlow>[1]

function excluded(sample: Sample, ...requirements: Parameters<typeof sampleRequirements>): string[] {
  return exclusionsOf(sampleFlow('flow', sample), sampleRequirements(...requirements))
}

test('flows are not excluded without requirements or without known values', () => {
  expect(excluded({ cost: 1e9, ms: 1e9 })).toEqual([])
  const strict = {
    preferences: { max_cost: 0, max_duration: 1 },
    constraints: { resource_limits: { max_memory: 1 } },
  }
  expect(excluded({}, {}, strict)).toEqual([])
})

test('a flow above the cost limit is excluded', () => {
  expect(excluded({ cost: 500_001 }, {}, { preferences: { max_cost: 0.5 } })).toEqual([
    'max_cost: it costs about $0.500001, and $0.5 are allowed.',
  ])
  expect(excluded({ cost: 500_000 }, {}, { preferences: { max_cost: 0.5 } })).toEqual([])
})

test('a flow above any time limit is excluded', () => {
  const rest = { preferences: { max_duration: 10 }, constraints: { available_time_window: '1m' } }
  expect(excluded({ ms: 11_000 }, {}, rest)).toEqual([
    'max_duration: it takes about 11 s, and there are 10 s.',
  ])
  const deadline = { business_requirements: { publication_deadline: '2026-05-01T12:00:05Z' } }
  expect(excluded({ ms: 61_000 }, deadline, rest)).toHaveLength(3)
  const over = { business_requirements: { publication_deadline: '2026-05-01T11:59:00Z' } }
  expect(excluded({}, over)).toEqual(['publication_deadline: it is over.'])
})

test('a flow above the memory limit is excluded', () => {
  const limits = { constraints: { resource_limits: { max_memory: '1MB' } } }
  expect(excluded({ record: { bytes: 3 * 1024 * 1024 } }, {}, limits)).toEqual([
    'max_memory: its executions hold about 3 MB, and 1 MB are allowed.',
  ])
  expect(excluded({ record: { bytes: 1024 } }, {}, limits)).toEqual([])
})

describe('experimental flows', () => {
  const rest = { preferences: { exclude_experimental: true } }

  test.each([{ tags: ['Beta'] }, { category: 'experimental' }, { version: '0.9.1' }])('%j', (flow) => {
    expect(excluded({ flow }, {}, rest)).toHaveLength(1)
    expect(excluded({ flow })).toEqual([])
  })

  test('stable flows are not excluded', () => {
    expect(excluded({ flow: { version: '1.0.0', tags: ['stable'] } }, {}, rest)).toEqual([])
    expect(excluded({ flow: { version: '10.2' } }, {}, rest)).toEqual([])
  })
})

test('a flow that does not declare required compliance is excluded', () => {
  const rest = { constraints: { compliance_requirements: ['GDPR', 'HIPAA'] } }
  expect(excluded({ flow: { tags: ['gdpr'] } }, {}, rest)).toEqual([
    'compliance_requirements: it does not say that it complies with HIPAA.',
  ])
})

test('a flow with a step without an available model is excluded', () => {
  const gone = { stepId: 'write', named: 'large', entry: undefined, tokens: null }
  const away = {
    stepId: 'check',
    named: null,
    entry: sampleModel('ollama', 'small', 0, { available: false }),
    tokens: null,
  }
  expect(excluded({ models: [gone, away] })).toEqual([
    'models: no model is available for its step "write" (large).',
    'models: no model is available for its step "check".',
  ])
})

test('a flow is excluded when the content exceeds the context of its model', () => {
  const entry = sampleModel('openai', 'short', 1, { contextLength: 1000 })
  const models = [{ stepId: 'write', named: 'short', entry, tokens: null }]
  expect(excluded({ models }, { content_characteristics: { length: 4000 } })).toEqual([])
  expect(excluded({ models }, { content_characteristics: { length: 4001 } })).toEqual([
    'length: the content has about 1001 tokens, and the model of its step "write" takes 1000.',
  ])
})

test('a flow below the minimum confidence is excluded', () => {
  expect(criteria.tooUncertain(0.4, sampleRequirements())).toEqual([])
  expect(
    criteria.tooUncertain(0.4, sampleRequirements({}, { preferences: { min_confidence: 0.4 } })),
  ).toEqual([])
  expect(
    criteria.tooUncertain(0.4, sampleRequirements({}, { preferences: { min_confidence: 0.5 } })),
  ).toHaveLength(1)
})
