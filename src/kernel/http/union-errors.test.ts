import { expect, test } from 'vitest'
import { createValueCheck } from './validation.ts'

const oneOfWords = { anyOf: [{ const: 'slow' }, { const: 'fast' }] }
const textOrTexts = {
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', minItems: 1, items: { type: 'string' } },
  ],
}
const shape = {
  anyOf: [
    {
      type: 'object',
      properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
      required: ['kind', 'radius'],
    },
    {
      type: 'object',
      properties: { kind: { const: 'square' }, side: { type: 'number' } },
      required: ['kind', 'side'],
    },
  ],
}

function problemsOf(schema: object, value: unknown): readonly string[] {
  const check = createValueCheck({ type: 'object', properties: { it: schema } })
  return check({ it: value }).map(({ path, message }) => `${path} ${message}`)
}

test('several allowed values are reported as one problem', () => {
  expect(problemsOf(oneOfWords, 'medium')).toEqual(['it must be one of slow, fast'])
})

test('several allowed types are reported as one problem', () => {
  expect(problemsOf(textOrTexts, 7)).toEqual(['it must be a string or an array'])
})

test('a value of an allowed type gets only the errors of that type', () => {
  expect(problemsOf(textOrTexts, [])).toEqual(['it must have at least one item'])
  expect(problemsOf(textOrTexts, '')).toEqual(['it must not be empty'])
  expect(problemsOf(textOrTexts, ['a', 1])).toEqual(['it[1] must be a string'])
})

test('an object with a discriminator is checked against its member', () => {
  expect(problemsOf(shape, { kind: 'square', side: 'long' })).toEqual(['it.side must be a number'])
})

test('each item of an array is checked separately', () => {
  expect(problemsOf({ type: 'array', items: textOrTexts }, ['a', 7, []])).toEqual([
    'it[1] must be a string or an array',
    'it[2] must have at least one item',
  ])
})

test('a nested union reports the errors of the inner one', () => {
  const words = { anyOf: [{ type: 'string' }, { type: 'array', items: oneOfWords }] }
  expect(problemsOf(words, ['slow', 'medium'])).toEqual(['it[1] must be one of slow, fast'])
})

test('a repeated problem is reported once', () => {
  const day = {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\d$',
    format: 'date',
    'x-means': 'must be a day',
  }
  expect(problemsOf(day, 'soon')).toEqual(['it must be a day'])
  expect(problemsOf(day, '2026-13-01')).toEqual(['it must be a day'])
})

test('very many errors take no longer than a few', () => {
  const bad = Array.from({ length: 50_000 }, () => 7)
  const startedAt = performance.now()
  expect(problemsOf({ type: 'array', items: textOrTexts }, bad)).toHaveLength(20)
  expect(performance.now() - startedAt).toBeLessThan(5000)
})
