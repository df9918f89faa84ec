import { describe, expect, test } from 'vitest'
import generated from '../flow-schema.generated.json'
import { fieldAt } from './field-at.ts'
import { canHave, fieldsOfStep, flowFields, metadataFields, stepTypes, withUnknown } from './form-fields.ts'
import { readShape, type Schema } from './read-shape.ts'
import { places, roleAt } from './roles.ts'
import type { Field } from './shape.ts'

const { flow, metadata }: { readonly flow: Schema; readonly metadata: Schema } = generated
const steps = flow.properties?.['steps']?.items?.anyOf ?? []

/** Every path a schema describes, with entries of lists and records as `*`. */
function placesIn(schema: Schema, path: readonly string[] = []): string[][] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema
  const inner = [
    ...Object.entries(properties),
    ...(items === undefined ? [] : [['*', items] as const]),
    ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as const] : []),
  ]
  return [
    ...inner.flatMap(([name, one]) => [[...path, name], ...placesIn(one, [...path, name])]),
    ...anyOf.flatMap((one) => placesIn(one, path)),
  ]
}

/** A value path for a schema path. */
const pathOf = (place: readonly string[]) => place.map((part) => (part === '*' ? 0 : part))

describe('every field of the schema has a form field', () => {
  test.each(stepTypes)('of %s', (type) => {
    const schema = steps.find((it) => it.properties?.['type']?.enum?.[0] === type)
    const described = placesIn(schema ?? {}).filter(([head]) => head !== 'id' && head !== 'type')
    expect(described.length).toBeGreaterThan(20)
    for (const place of described) {
      expect(fieldAt(fieldsOfStep(type), pathOf(place)), place.join('.')).toBeDefined()
    }
  })

  test('of the flow and of its metadata', () => {
    const ofFlow = placesIn(flow).filter(([head]) => head !== 'steps')
    for (const place of ofFlow) expect(fieldAt(flowFields, pathOf(place)), place.join('.')).toBeDefined()
    const ofMetadata = placesIn(metadata).filter(([head]) => head !== 'layout')
    for (const place of ofMetadata) {
      expect(fieldAt(metadataFields, pathOf(place)), place.join('.')).toBeDefined()
    }
    expect([...flowFields, ...metadataFields].map(({ name }) => name)).not.toContain('layout')
  })

  test('there are these types, and only free values are JSON', () => {
    const types = ['ai_prompt', 'conditional', 'external_api', 'data_transform', 'agent', 'for_each']
    expect(stepTypes).toEqual(expect.arrayContaining(types))
    const free = types.flatMap((type) =>
      placesIn(steps.find((it) => it.properties?.['type']?.enum?.[0] === type) ?? {})
        .filter((place) => fieldAt(fieldsOfStep(type), pathOf(place))?.shape.kind === 'json')
        .map((place) => place.join('.')),
    )
    expect(free).toEqual([
      'routing_options.*.condition.value',
      'output_schema',
      'conditions.*.value',
      'api.body',
      'steps.*.*',
      'result',
    ])
  })
})

test('fields are ordered by importance', () => {
  const names = fieldsOfStep('ai_prompt').map(({ name }) => name)
  expect(names.slice(0, 2)).toEqual(['label', 'prompt'])
  expect(names.slice(-3)).toEqual(['validation', 'retry_config', 'error_handling'])
  expect(names.indexOf('dependencies')).toBeGreaterThan(names.indexOf('post_processing'))
  expect(fieldsOfStep('unheard_of').map(({ name }) => name)).toContain('dependencies')
})

describe('roles of fields', () => {
  test('every path of the table is a path of the schema', () => {
    const all = new Set(stepTypes.flatMap((_type, index) => placesIn(steps[index] ?? {}).map(String)))
    for (const [pattern] of places) expect(all, pattern).toContain(String(pattern.split('.')))
  })

  test('every field for a step ID is a choice of steps', () => {
    const idPattern = steps[0]?.properties?.['id']
    const named = steps.flatMap((schema) =>
      placesIn(schema).filter((place) => {
        const at = place.reduce<Schema | undefined>((it, part) => below(it, part), schema)
        // The names of tools have the pattern of step IDs by chance.
        const isId = place[0] !== 'id' && place[0] !== 'tools'
        return isId && patternOf(at) !== undefined && patternOf(at) === patternOf(idPattern)
      }),
    )
    expect(named.length).toBeGreaterThan(5)
    for (const place of named) {
      const path = pathOf(place)
      const role = place.at(-1) === '*' ? roleAt(path.slice(0, -1)) : roleAt(path)
      expect(role, place.join('.')).toMatch(/^steps?$/)
    }
  })

  test('a path is matched part by part', () => {
    expect(roleAt(['conditions', 3, 'action', 'next_step'])).toBe('step')
    expect(roleAt(['routing_options', 'any name at all', 'continue_to'])).toBe('step')
    expect(roleAt(['routing_options', 'x'])).toBeUndefined()
    expect(roleAt(['label'])).toBeUndefined()
  })
})

function below({ properties, items, additionalProperties, anyOf }: Schema = {}, part: string) {
  const group = anyOf?.find((it) => it.properties !== undefined)
  if (group !== undefined) return group.properties?.[part]
  if (part !== '*') return properties?.[part]
  return items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
}

function patternOf(schema: (Schema & { readonly pattern?: string }) | undefined): string | undefined {
  return schema?.pattern
}

describe('an unknown field', () => {
  test('is shown as it is', () => {
    const fields: readonly Field[] = withUnknown(
      fieldsOfStep('agent'),
      { id: 'x', type: 'agent', agnet: 'translator' },
      new Set(['id', 'type']),
    )
    expect(fields.at(-1)).toMatchObject({ name: 'agnet', shape: { kind: 'json' } })
    expect(canHave('agent', 'agnet')).toBe(false)
  })

  test('of an unknown kind is JSON', () => {
    expect(readShape({ type: 'object' })).toEqual({ kind: 'json' })
    expect(readShape({ anyOf: [{ type: 'object', properties: {} }, { type: 'array' }] })).toEqual({
      kind: 'json',
    })
  })
})
