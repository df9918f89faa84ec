import { expect, test } from 'vitest'
import { isStrictSchema } from './openai-provider.ts'

const closed = { type: 'object', additionalProperties: false }
const text = { type: 'string' }

test.each([
  [{ ...closed, properties: { a: text }, required: ['a'] }, true],
  [{ ...closed, properties: { a: { type: 'array', items: text } }, required: ['a'] }, true],
  [{ ...closed, properties: { a: { anyOf: [text, { type: 'null' }] } }, required: ['a'] }, true],
  [{ ...closed, properties: { a: { $ref: '#/$defs/a' } }, required: ['a'], $defs: { a: text } }, true],
  [{ ...closed, properties: { a: text } }, false],
  [{ type: 'object', properties: { a: text }, required: ['a'] }, false],
  [{ ...closed, properties: { a: { type: 'object' } }, required: ['a'] }, false],
  [{ ...closed, properties: { a: { type: 'string', minLength: 2 } }, required: ['a'] }, false],
  [{ ...closed, properties: { a: true }, required: ['a'] }, false],
  [{ allOf: [{ ...closed }] }, false],
  [{ type: 'array', items: text }, false],
  [{}, false],
])('%j: %s', (schema, strict) => {
  expect(isStrictSchema(schema)).toBe(strict)
})
