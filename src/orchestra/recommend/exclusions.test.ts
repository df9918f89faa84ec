import { describe, expect, test } from 'vitest'
import { criteria } from '#executions-api'
import { exclusionsOf, formatIn } from './exclusions.ts'
import { sampleAgent, sampleModel, sampleRequirements } from './sample-agents.ts'

const paid = sampleModel('openai', 'large', { price: 1_000_000 })

describe('an agent is excluded', () => {
  test('when it is not wanted', () => {
    const requirements = sampleRequirements({}, { requirements: { exclude_agents: ['one'] } })
    expect(exclusionsOf(sampleAgent('one'), requirements)).toEqual(['exclude_agents: it is excluded.'])
    expect(exclusionsOf(sampleAgent('two'), requirements)).toEqual([])
  })

  test.each([
    ['inactive', 'status: it is inactive.'],
    ['maintenance', 'status: it is in maintenance.'],
  ] as const)('when it is %s', (status, reason) => {
    expect(exclusionsOf(sampleAgent('one', { status }), sampleRequirements({}))).toEqual([reason])
  })

  test('when no model is available and it needs one', () => {
    const needsModel = { agent: { analysis_output: undefined } as object }
    const reason = 'models: no model is available, and it needs a language model.'
    expect(
      exclusionsOf(sampleAgent('one', { ...needsModel, model: undefined }), sampleRequirements({})),
    ).toEqual([reason])
    expect(exclusionsOf(sampleAgent('one', needsModel), sampleRequirements({}))).toEqual([reason])
    expect(exclusionsOf(sampleAgent('one', { ...needsModel, model: paid }), sampleRequirements({}))).toEqual(
      [],
    )
    expect(exclusionsOf(sampleAgent('one', { model: undefined }), sampleRequirements({}))).toEqual([])
  })

  test('when it exceeds the cost or time limit, but not when these are unknown', () => {
    const tight = sampleRequirements({}, { requirements: { max_cost: 0.001, max_duration: 2 } })
    const record = {
      completed: 5,
      averageMicroDollars: 2000,
      medianMs: 3000,
      tokens: { input: 9, output: 9 },
    }
    expect(exclusionsOf(sampleAgent('one', { record, model: paid }), tight)).toEqual([
      'max_cost: it costs about $0.002, and $0.001 are allowed.',
      'max_duration: it takes about 3 s, and there are 2 s.',
    ])
    expect(exclusionsOf(sampleAgent('one', { model: paid }), tight)).toEqual([])
  })

  test('when the deadline is too near, or over', () => {
    const record = { completed: 1, medianMs: 90_000 }
    const soon = sampleRequirements({ deadline: '2026-03-31T12:01:00Z' })
    expect(exclusionsOf(sampleAgent('one', { record }), soon)).toEqual([
      'deadline: it takes about 90 s, and there are 60 s.',
    ])
    expect(
      exclusionsOf(sampleAgent('one'), sampleRequirements({ deadline: '2026-03-31T11:00:00Z' })),
    ).toEqual(['deadline: it is over.'])
  })

  test('when it would use another provider than the preferred ones', () => {
    const requirements = sampleRequirements({}, { requirements: { preferred_providers: ['openai'] } })
    expect(exclusionsOf(sampleAgent('one'), requirements)).toEqual([
      'preferred_providers: it would use builtin, and not openai.',
    ])
    expect(exclusionsOf(sampleAgent('one', { model: paid }), requirements)).toEqual([])
    const withoutModel = sampleAgent('one', { agent: { prompt: undefined } as object })
    expect(exclusionsOf(withoutModel, requirements)).toEqual([])
  })

  test('when its texts were measured below the level', () => {
    const requirements = sampleRequirements({}, { requirements: { quality_level: 'premium' } })
    const quality = { mean: 61, samples: 9 }
    expect(exclusionsOf(sampleAgent('one', { record: { quality } }), requirements)).toEqual([
      'quality_level: its texts reached 61 of 100, and premium requires 75.',
    ])
    expect(exclusionsOf(sampleAgent('one'), requirements)).toEqual([])
  })

  test('when the content is too long, in a language or a format it does not know', () => {
    const agent = { supported_languages: ['en', 'de'] }
    const requirements = sampleRequirements({
      content_length: 60_000,
      language: 'French',
      content_type: 'HTML page',
    })
    expect(exclusionsOf(sampleAgent('one', { agent }), requirements)).toEqual([
      'content_length: the content has 60000 characters, and the limit is 50000.',
      'language: it supports en, de and not French.',
      'content_type: it supports text and not html.',
    ])
    expect(exclusionsOf(sampleAgent('one', { agent }), sampleRequirements({ language: 'de-AT' }))).toEqual([])
    expect(exclusionsOf(sampleAgent('one', { agent }), sampleRequirements({ language: 'Klingon' }))).toEqual(
      [],
    )
  })

  test('when too little is known of it', () => {
    const requirements = sampleRequirements({}, { requirements: { min_confidence: 0.6 } })
    expect(criteria.tooUncertain(0.6, requirements)).toEqual([])
    expect(criteria.tooUncertain(0.59, requirements)).toHaveLength(1)
    expect(criteria.tooUncertain(0, sampleRequirements({}))).toEqual([])
  })
})

test('a content type may name a format', () => {
  expect(formatIn('Markdown document')).toBe('markdown')
  expect(formatIn('application/json')).toBe('json')
  expect(formatIn('blog article')).toBeUndefined()
  expect(formatIn(undefined)).toBeUndefined()
})
