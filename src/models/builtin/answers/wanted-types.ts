import type { JsonSchema } from '../../providers/provider.ts'

/** References lead to references; who means something stops sooner. */
const mostReferences = 20

/** A part of a schema; when it refers to another part, that one. */
export function partOf(schema: JsonSchema, part: unknown): JsonSchema {
  let found = part
  for (let step = 0; step < mostReferences; step++) {
    if (!isSchema(found)) return {}
    const reference = found['$ref']
    if (typeof reference !== 'string') return found
    found = reference
      .replace(/^#\/?/, '')
      .split('/')
      .filter((name) => name !== '')
      .reduce<unknown>(
        (inner, name) =>
          isSchema(inner) ? Object.entries(inner).find(([key]) => key === name)?.[1] : undefined,
        schema,
      )
  }
  return {}
}

/** Types of JSON that a part of a schema allows, as far as it says. An array says of what, when the schema does. */
export function wantedTypes(schema: JsonSchema, part: unknown): ReadonlySet<string> {
  const types = new Set<string>()
  for (const found of alternativesOf(schema, part)) {
    for (const type of plainTypes(found)) {
      if (type !== 'array') types.add(type)
      else for (const inner of itemTypes(schema, found['items'])) types.add(`array of ${inner}`)
    }
  }
  return types
}

function itemTypes(schema: JsonSchema, items: unknown): readonly string[] {
  const types = alternativesOf(schema, items).flatMap(plainTypes)
  return types.length === 0 ? ['anything'] : types
}

/** The part itself, and those it is made of; each once, for they may lead back to one another. */
function alternativesOf(schema: JsonSchema, part: unknown): JsonSchema[] {
  const found = new Set([partOf(schema, part)])
  for (const each of found) {
    for (const inner of [each['anyOf'], each['oneOf'], each['allOf']]) {
      if (Array.isArray(inner)) for (const alternative of inner) found.add(partOf(schema, alternative))
    }
  }
  return [...found]
}

function plainTypes(schema: JsonSchema): string[] {
  const named = [schema['type']].flat().filter((type) => typeof type === 'string')
  if (named.length > 0) return named.map((type) => (type === 'integer' ? 'number' : type))
  const values = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : []
  return values.map((value) => (value === null ? 'null' : typeof value))
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
