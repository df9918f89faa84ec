import { expect, test } from 'vitest'
import {
  readRows,
  refuseOthers,
  refusesOthers,
  rowTypes,
  type SchemaRow,
  withType,
  writeRows,
} from './field-table.ts'

const plain: SchemaRow = {
  name: 'x',
  type: 'text',
  isRequired: true,
  title: '',
  description: 'About x.',
  limits: {},
  options: [],
  rest: {},
}

test.each(rowTypes)('a field of type %s is written as a schema and read back', (type) => {
  const options = type === 'choice' || type === 'choices' ? ['a', 'b'] : []
  const row: SchemaRow = { ...plain, type, options }
  expect(readRows(writeRows(undefined, [row]))).toEqual([row])
})

test('words that the table does not show are kept', () => {
  const schema = {
    type: 'object',
    title: 'Answer',
    properties: {
      ok: { type: 'boolean', title: 'OK?', default: true },
      note: { type: 'string', maxLength: 3 },
    },
    required: ['ok'],
  }
  expect(writeRows(schema, readRows(schema) ?? [])).toEqual(schema)
  const [ok] = readRows(schema) ?? []
  expect(writeRows(schema, ok === undefined ? [] : [{ ...ok, isRequired: false }])).toEqual({
    type: 'object',
    title: 'Answer',
    properties: { ok: { type: 'boolean', title: 'OK?', default: true } },
  })
  expect(writeRows(schema, [])).toBeUndefined()
})

test.each([
  ['text', { minLength: 1, maxLength: 9 }],
  ['long text', { minLength: 1, maxLength: 9 }],
  ['number', { minimum: 1, maximum: 9 }],
  ['whole number', { minimum: 1, maximum: 9 }],
] as const)('a field of type %s has a title and limits', (type, limits) => {
  const row: SchemaRow = { ...plain, type, title: 'X?', limits: { least: 1, most: 9 } }
  const schema = writeRows(undefined, [row])
  expect(schema).toMatchObject({ properties: { x: { title: 'X?', ...limits } } })
  expect(readRows(schema)).toEqual([row])
})

test('limits stay with a type that means the same by them', () => {
  const row: SchemaRow = { ...plain, limits: { most: 9 } }
  expect(withType(row, 'long text').limits).toEqual({ most: 9 })
  expect(withType(row, 'number').limits).toEqual({})
  expect(withType(row, 'choice')).toMatchObject({ limits: {}, options: ['yes', 'no'] })
})

test('an object can refuse other fields', () => {
  const schema = writeRows(undefined, [plain])
  const closed = refuseOthers(schema, true)
  expect([refusesOthers(schema), refusesOthers(closed)]).toEqual([false, true])
  expect(refuseOthers(closed, false)).toEqual(schema)
})

test.each([
  ['text'],
  [{ type: 'array' }],
  [{ type: 'object', oneOf: [] }],
  [{ type: 'object', properties: { x: { type: 'string', format: 'uri' } } }],
  [{ type: 'object', properties: { x: { anyOf: [] } } }],
  [{ type: 'object', properties: { x: { type: 'array', items: { type: 'object' } } } }],
])('%j is more than a table shows', (schema) => expect(readRows(schema)).toBeUndefined())
