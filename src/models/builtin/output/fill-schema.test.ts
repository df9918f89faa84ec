import { expect, test } from 'vitest'
import { analyseText } from '../analysis/analyse-text.ts'
import { fillSchema } from './fill-schema.ts'

const text =
  'I love the sea. The sea is blue, and the boats on the sea are white. The boats sail far away from here.'
const analysis = await analyseText(text)

const answer = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  fillSchema(analysis, { type: 'object', properties, ...more })

test('findings have the form that the schema requires', () => {
  expect(
    answer({
      language: { type: 'string' },
      summary: { type: 'array', items: { type: 'string' } },
      keywords: { type: 'array', items: { type: 'string' } },
      sentiment: { enum: ['positive', 'neutral', 'negative'] },
      readability: { type: 'number' },
      seo: { type: ['integer', 'null'] },
      word_count: { type: 'integer' },
    }),
  ).toEqual({
    language: 'en',
    summary: analysis.summary,
    keywords: analysis.keyPhrases.map(({ phrase }) => phrase),
    sentiment: analysis.sentiment?.label,
    readability: analysis.readability?.score,
    seo: analysis.seo?.score,
    word_count: 23,
  })
})

test('a schema without types gets the default forms', () => {
  expect(answer({ language: {}, summary: true, key_phrases: { type: 'array' } })).toMatchObject({
    language: { code: 'en', confidence: expect.any(Number) },
    summary: analysis.summary.join(' '),
    key_phrases: [{ phrase: 'sea', score: 1, count: 3 }, ...analysis.keyPhrases.slice(1)],
  })
})

test('references and alternatives are resolved, including cycles', () => {
  const $defs = {
    tone: { anyOf: [{ $ref: '#/$defs/loop' }, { type: 'null' }, { type: 'number' }] },
    loop: { oneOf: [{ $ref: '#/$defs/tone' }, { $ref: '#/$defs/loop' }] },
    self: { $ref: '#/$defs/self' },
  }
  expect(
    answer({ sentiment: { $ref: '#/$defs/tone' }, language: { $ref: '#/$defs/self' } }, { $defs }),
  ).toEqual({
    sentiment: analysis.sentiment?.score,
    language: expect.objectContaining({ code: 'en' }),
  })
})

test('properties without a finding are left out', () => {
  expect(answer({ summary: { type: 'string' }, next_step: { type: 'string' }, constructor: {} })).toEqual({
    summary: analysis.summary.join(' '),
  })
  expect(answer({ next_step: { type: 'string' } })).toBeUndefined()
  expect(fillSchema(analysis, { type: 'array' })).toBeUndefined()
  expect(fillSchema(analysis, { properties: 'none' })).toBeUndefined()
})
