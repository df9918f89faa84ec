import { describe, expect, test } from 'vitest'
import { exclusionsOf, formatIn, tooUncertain } from './exclusions.ts'
import { sampleAgent, sampleModel, wish } from './sample-agents.ts'

const paid = sampleModel('openai', 'large', { price: 1_000_000 })

describe('an agent is left out', () => {
  test('when it is not wanted', () => {
    const wishes = wish({}, { requirements: { exclude_agents: ['one'] } })
    expect(exclusionsOf(sampleAgent('one'), wishes)).toEqual(['exclude_agents: it is not wanted.'])
    expect(exclusionsOf(sampleAgent('two'), wishes)).toEqual([])
  })

  test.each([
    ['inactive', 'status: it is inactive.'],
    ['maintenance', 'status: it is in maintenance.'],
  ] as const)('when it is %s', (status, reason) => {
    expect(exclusionsOf(sampleAgent('one', { status }), wish({}))).toEqual([reason])
  })

  test('when nobody can answer and it cannot work alone', () => {
    const needsModel = { agent: { analysis_output: undefined } as object }
    const reason = 'models: nobody can answer it now, and it cannot work without a language model.'
    expect(exclusionsOf(sampleAgent('one', { ...needsModel, model: undefined }), wish({}))).toEqual([reason])
    expect(exclusionsOf(sampleAgent('one', needsModel), wish({}))).toEqual([reason])
    expect(exclusionsOf(sampleAgent('one', { ...needsModel, model: paid }), wish({}))).toEqual([])
    expect(exclusionsOf(sampleAgent('one', { model: undefined }), wish({}))).toEqual([])
  })

  test('when it costs or takes more than is allowed, and not when nobody knows', () => {
    const tight = wish({}, { requirements: { max_cost: 0.001, max_duration: 2 } })
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
    const soon = wish({ deadline: '2026-03-31T12:01:00Z' })
    expect(exclusionsOf(sampleAgent('one', { record }), soon)).toEqual([
      'deadline: it takes about 90 s, and there are 60 s.',
    ])
    expect(exclusionsOf(sampleAgent('one'), wish({ deadline: '2026-03-31T11:00:00Z' }))).toEqual([
      'deadline: it is over.',
    ])
  })

  test('when somebody else than the preferred providers would answer', () => {
    const wishes = wish({}, { requirements: { preferred_providers: ['openai'] } })
    expect(exclusionsOf(sampleAgent('one'), wishes)).toEqual([
      'preferred_providers: builtin would answer it, and not openai.',
    ])
    expect(exclusionsOf(sampleAgent('one', { model: paid }), wishes)).toEqual([])
    const withoutModel = sampleAgent('one', { agent: { prompt: undefined } as object })
    expect(exclusionsOf(withoutModel, wishes)).toEqual([])
  })

  test('when its texts were measured below the level', () => {
    const wishes = wish({}, { requirements: { quality_level: 'premium' } })
    const quality = { mean: 61, samples: 9 }
    expect(exclusionsOf(sampleAgent('one', { record: { quality } }), wishes)).toEqual([
      'quality_level: its texts reached 61 of 100, and premium asks for 75.',
    ])
    expect(exclusionsOf(sampleAgent('one'), wishes)).toEqual([])
  })

  test('when the content is too long, in a language or a format it does not know', () => {
    const agent = { supported_languages: ['en', 'de'] }
    const wishes = wish({ content_length: 60_000, language: 'French', content_type: 'HTML page' })
    expect(exclusionsOf(sampleAgent('one', { agent }), wishes)).toEqual([
      'content_length: the content has 60000 characters, and it takes 50000.',
      'language: it knows en, de and not French.',
      'content_type: it works on text and not on html.',
    ])
    expect(exclusionsOf(sampleAgent('one', { agent }), wish({ language: 'de-AT' }))).toEqual([])
    expect(exclusionsOf(sampleAgent('one', { agent }), wish({ language: 'Klingon' }))).toEqual([])
  })

  test('when too little is known of it', () => {
    const wishes = wish({}, { requirements: { min_confidence: 0.6 } })
    expect(tooUncertain(0.6, wishes)).toEqual([])
    expect(tooUncertain(0.59, wishes)).toHaveLength(1)
    expect(tooUncertain(0, wish({}))).toEqual([])
  })
})

test('a content type may name a format', () => {
  expect(formatIn('Markdown document')).toBe('markdown')
  expect(formatIn('application/json')).toBe('json')
  expect(formatIn('blog article')).toBeUndefined()
  expect(formatIn(undefined)).toBeUndefined()
})
