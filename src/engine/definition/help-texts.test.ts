import { expect, test } from 'vitest'
import { FlowMetadata } from '../flows/flow-metadata.ts'
import { FlowDefinition } from './flow.ts'

interface Schema {
  readonly description?: string
  readonly default?: unknown
  readonly [keyword: string]: unknown
}

/** Every field of a schema at any depth, with its path. */
function fieldsOf(schema: unknown, way = ''): { readonly way: string; readonly field: Schema }[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([keyword, part]) => {
    if (keyword !== 'properties') return fieldsOf(part, `${way}/${keyword}`)
    return Object.entries(part as Record<string, Schema>).flatMap(([name, field]) => [
      { way: `${way}/${name}`, field },
      ...fieldsOf(field, `${way}/${name}`),
    ])
  })
}

const fields = [...fieldsOf(FlowDefinition, 'flow'), ...fieldsOf(FlowMetadata, 'metadata')]

test('every field of a flow has a description', () => {
  expect(fields.length).toBeGreaterThan(100)
  expect(fields.filter(({ field }) => (field.description ?? '').length < 10).map(({ way }) => way)).toEqual(
    [],
  )
  expect(fields.filter(({ field }) => !/[.]$/.test(field.description ?? '')).map(({ way }) => way)).toEqual(
    [],
  )
})

test('the default of an optional field is described, and never written into the definition', () => {
  expect(fields.filter(({ field }) => 'default' in field).map(({ way }) => way)).toEqual([])
})
