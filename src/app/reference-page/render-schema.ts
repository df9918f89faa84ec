import type { OpenAPIV3 } from 'openapi-types'
import { html, type Markup } from '#kernel/pages'
import { prose } from './prose.ts'

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject
export type Schemas = Readonly<Record<string, Schema>>

const deepest = 6

/** Shows a schema as a nested list of fields: name, type, whether it is required, what it means. */
export function renderSchema(schema: Schema, schemas: Schemas, depth = 0): Markup {
  const known = resolve(schema, schemas)
  const fields = fieldsOf(known, schemas)
  if (fields === undefined || depth >= deepest) return html`<p class="quiet">${typeName(known, schemas)}</p>`
  const required = new Set(fields.required)
  return html`<ul class="fields">${Object.entries(fields.properties ?? {}).map(([name, property]) => {
    const field = resolve(property, schemas)
    const nested = fieldsOf(field, schemas)
    return html`<li><code>${name}</code> <span class="quiet">${typeName(field, schemas)}${required.has(name) ? '' : ', optional'}</span>
${field.description !== undefined && html`<span class="about">${prose(field.description)}</span>`}
${nested !== undefined && renderSchema(nested, schemas, depth + 1)}</li>`
  })}</ul>`
}

/** The object whose fields are worth listing: the schema itself, or what its array holds. */
function fieldsOf(schema: OpenAPIV3.SchemaObject, schemas: Schemas): OpenAPIV3.SchemaObject | undefined {
  if (schema.type === 'array') return fieldsOf(resolve(schema.items, schemas), schemas)
  return schema.properties !== undefined && Object.keys(schema.properties).length > 0 ? schema : undefined
}

/** A type in a few words: `text`, `integer, 1 to 200`, `list of text`, `"ready" or "not_ready"`. */
export function typeName(given: Schema, schemas: Schemas): string {
  const schema = resolve(given, schemas)
  const name = plainTypeName(schema, schemas)
  return schema.nullable === true ? `${name} or null` : name
}

function plainTypeName(schema: OpenAPIV3.SchemaObject, schemas: Schemas): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined)
    return [...new Set(choices.map((choice) => typeName(choice, schemas)))].join(' or ')
  if (schema.type === 'array') return `list of ${typeName(schema.items, schemas)}`
  if (schema.type === 'string') return schema.format === undefined ? 'text' : `text (${schema.format})`
  const { minimum, maximum } = schema
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : ''
  const preset = schema.default === undefined ? '' : `, ${String(schema.default)} if left out`
  return `${schema.type ?? 'any value'}${range}${preset}`
}

function resolve(schema: Schema, schemas: Schemas): OpenAPIV3.SchemaObject {
  if (!('$ref' in schema)) return schema
  const target = schemas[schema.$ref.split('/').at(-1) ?? '']
  return target === undefined ? {} : resolve(target, schemas)
}
