import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { removeAbsentFields } from './absent-fields.ts'

const text = Type.Optional(Type.String())

function remaining(schema: object, data: unknown): unknown {
  removeAbsentFields(schema, data)
  return data
}

test('null for an optional field is removed, also inside objects, arrays and records', () => {
  const inner = Type.Object({ note: text })
  const schema = Type.Object({
    note: text,
    part: Type.Optional(inner),
    list: Type.Array(inner),
    record: Type.Record(Type.String(), Type.String()),
    perhaps: Type.Union([inner, Type.Null()]),
    usual: Type.Integer({ default: 1 }),
  })
  const note = null
  const data = {
    note,
    part: { note },
    list: [{ note }],
    record: { a: null, b: 'c' },
    perhaps: { note },
    usual: null,
  }
  expect(remaining(schema, data)).toEqual({ part: {}, list: [{}], record: { b: 'c' }, perhaps: {} })
})

test('a field that is required, nullable or not described by a schema keeps its null', () => {
  const schema = Type.Object(
    {
      required: Type.String(),
      nullable: Type.Optional(Type.Unsafe<string | null>({ type: 'string', nullable: true })),
      union: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      anything: Type.Optional(Type.Unknown()),
      free: Type.Optional(Type.Object({}, { additionalProperties: true })),
      items: Type.Optional(Type.Array(Type.String())),
    },
    { additionalProperties: true },
  )
  const data = {
    required: null,
    nullable: null,
    union: null,
    anything: null,
    free: { a: null, b: { c: null } },
    items: [null],
    unknown: null,
  }
  expect(remaining(schema, structuredClone(data))).toEqual(data)
})

test('in a union, the schema with the matching discriminator decides', () => {
  const circle = Type.Object({ kind: Type.Literal('circle'), radius: Type.Number(), note: text })
  const square = Type.Object({ kind: Type.Literal('square'), radius: Type.Optional(Type.Number()) })
  const schema = Type.Union([circle, square])
  expect(remaining(schema, { kind: 'square', radius: null })).toEqual({ kind: 'square' })
  expect(remaining(schema, { kind: 'circle', radius: null, note: null })).toEqual({
    kind: 'circle',
    radius: null,
  })
})

test('null itself and values other than objects stay unchanged', () => {
  const schema = Type.Object({ note: text })
  for (const value of [null, 'x', 7, []]) expect(remaining(schema, value)).toEqual(value)
})
