import { expect, test } from 'vitest'
import {
  agentIdFrom,
  copyOfAgent,
  fieldsOfSchema,
  freeKey,
  type OutputField,
  renameKey,
  schemaOfFields,
} from './agent-draft.ts'

test('an id is made from a name', () => {
  expect(agentIdFrom('Größe & Ton prüfen')).toBe('gro_e_ton_prufen')
  expect(agentIdFrom('日本')).toBe('')
})

test('a copy has another id and name, and all else of its model', () => {
  const definition = { id: 'a', label: 'A', prompt: '{{content}}', checks: [{ check: 'not_empty' }] }
  expect(copyOfAgent({ id: 'a', label: 'A', revision: 3, agent_definition: definition })).toEqual({
    agent: null,
    revision: null,
    copyOf: 'a',
    definition: { ...definition, id: 'a_copy', label: 'Copy of A' },
  })
})

test('a renamed key stays in its place, and never replaces another', () => {
  const record = { a: 1, b: 2, c: 3 }
  expect(Object.keys(renameKey(record, 'b', 'x'))).toEqual(['a', 'x', 'c'])
  expect(renameKey(record, 'b', 'c')).toBe(record)
  expect(freeKey({ field: 1, field_2: 2 }, 'field')).toBe('field_3')
})

test('the fields of a schema are read and written without loss', () => {
  const fields: OutputField[] = [
    { name: 'summary', type: 'string', description: 'One sentence.', required: true },
    { name: 'score', type: 'number', description: '', required: false },
    { name: 'topics', type: 'list', description: '', required: true },
  ]
  expect(fieldsOfSchema(schemaOfFields(fields))).toEqual(fields)
})

test.each([
  ['a reference', { $ref: '#/x' }],
  ['a nested object', { type: 'object', properties: { a: { type: 'object' } } }],
  ['an enumeration', { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } }],
  ['other rules', { type: 'object', properties: {}, minProperties: 1 }],
  ['other properties', { type: 'object', properties: {}, additionalProperties: true }],
  ['no schema', undefined],
])('a schema with %s is edited as JSON', (_, schema) => {
  expect(fieldsOfSchema(schema)).toBeUndefined()
})
