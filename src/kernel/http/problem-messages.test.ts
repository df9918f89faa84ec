import { expect, test } from 'vitest'
import { createValueCheck } from './validation.ts'

const sentences: readonly [schema: object, value: unknown, sentence: string][] = [
  [{ type: 'string' }, 7, 'it must be a string'],
  [{ type: 'integer' }, 0.5, 'it must be an integer'],
  [{ type: 'boolean' }, 'yes', 'it must be true or false'],
  [{ type: 'array' }, {}, 'it must be an array'],
  [{ type: 'object' }, [], 'it must be an object'],
  [{ type: ['number', 'null'] }, 'x', 'it must be a number or null'],
  [{ anyOf: [{ type: 'string' }, { const: false }] }, 7, 'it must be a string or false'],
  [{ enum: ['slow', 'fast'] }, 'medium', 'it must be one of slow, fast'],
  [{ const: 'on' }, 'off', 'it must be "on"'],
  [{ type: 'string', minLength: 1 }, '', 'it must not be empty'],
  [{ type: 'string', minLength: 8 }, 'x', 'it must have at least 8 characters'],
  [{ type: 'string', maxLength: 1 }, 'xx', 'it must have at most one character'],
  [{ type: 'string', pattern: '^a$' }, 'b', 'it must match the pattern ^a$'],
  [{ type: 'string', pattern: '^a$', 'x-means': 'must be an a' }, 'b', 'it must be an a'],
  [
    { type: 'string', format: 'uuid' },
    'nope',
    'it must be a UUID, such as 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
  ],
  [{ type: 'string', format: 'email' }, 'nope', 'it must be an email address, such as name@example.com'],
  [{ type: 'string', format: 'uri' }, 'nope', 'it must be a URL, such as https://example.com/path'],
  [{ type: 'string', format: 'date' }, 'nope', 'it must be a date, such as 2031-05-20'],
  [{ type: 'number', minimum: 1 }, 0, 'it must be at least 1'],
  [{ type: 'number', maximum: 200 }, 201, 'it must be at most 200'],
  [{ type: 'number', exclusiveMinimum: 0 }, 0, 'it must be greater than 0'],
  [{ type: 'number', exclusiveMaximum: 1 }, 1, 'it must be less than 1'],
  [{ type: 'number', multipleOf: 5 }, 7, 'it must be a multiple of 5'],
  [{ type: 'array', minItems: 1 }, [], 'it must have at least one item'],
  [{ type: 'array', minItems: 1, 'x-missing': 'must name a host' }, [], 'it must name a host'],
  [
    { type: 'object', properties: { a: { 'x-missing': 'must name a host' } }, required: ['a'] },
    {},
    'it.a must name a host',
  ],
  [{ type: 'array', maxItems: 2 }, [1, 2, 3], 'it must have at most 2 items'],
  [
    { type: 'array', uniqueItems: true },
    ['a', 'b', 'a'],
    'it must not have the same item twice; items 0 and 2 are equal',
  ],
  [{ type: 'object', minProperties: 1 }, {}, 'it must have at least one property'],
  [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, 'it must have at most one property'],
  [{ type: 'object', required: ['name'] }, {}, 'it.name is required'],
  [{ type: 'object', additionalProperties: false }, { nmae: 1 }, 'it.nmae is not a known field'],
  [{ type: 'object', dependencies: { a: ['b'] } }, { a: 1 }, 'it.b is required together with a'],
  [
    { type: 'object', propertyNames: { pattern: '^.$' } },
    { ab: 1 },
    'it has the field "ab", whose name is not allowed',
  ],
  [{ not: {} }, 1, 'it has a value that is not allowed'],
]

test.each(sentences)('%j', (schema, value, sentence) => {
  const check = createValueCheck({ type: 'object', properties: { it: schema } })
  expect(check({ it: value }).map(({ path, message }) => `${path} ${message}`)).toContain(sentence)
})

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
  const before = process.cpuUsage()
  expect(problemsOf({ type: 'array', items: textOrTexts }, bad)).toHaveLength(20)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
})
