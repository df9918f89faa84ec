import type { OpenAPIV3 } from 'openapi-types'
import { html, type Markup } from '#kernel/pages'

export interface Operation {
  readonly method: string
  readonly path: string
  readonly described: OpenAPIV3.OperationObject & { readonly 'x-access'?: string }
}

/** An anchor derived from method and path, so that links keep working. */
export function anchorOf({ method, path }: Operation): string {
  return `${method}${path.replaceAll(/[^a-z0-9]+/gi, '-')}`.replace(/-$/, '').toLowerCase()
}

/** One operation, collapsed to its summary. The anchor is inside: a browser expands the element that contains the target of a link. */
export function renderOperation(operation: Operation, schemas: Schemas, origin: string): Markup {
  const { method, path, described } = operation
  const anchor = anchorOf(operation)
  return html`<details class="operation">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code> <span class="about">${described.summary}</span></summary>
<div class="inside" id="${anchor}">
${described.description !== undefined && html`<p>${prose(described.description)}</p>`}
<p class="quiet">Who may call it: ${prose(described['x-access'] ?? 'not stated')}. <a href="#${anchor}">Link</a></p>
${renderParameters(described.parameters ?? [], schemas)}
${renderBody(described.requestBody, schemas)}
<h4>Answers</h4>
${Object.entries(described.responses).map(([status, answer]) => renderAnswer(status, answer, schemas))}
<h4>From a terminal</h4>
<pre>${curlOf(operation, origin)}</pre>
</div>
</details>`
}

function renderParameters(
  parameters: readonly (OpenAPIV3.ParameterObject | OpenAPIV3.ReferenceObject)[],
  schemas: Schemas,
): Markup | undefined {
  const named = parameters.filter((parameter) => 'name' in parameter)
  if (named.length === 0) return undefined
  return html`<h4>Parameters</h4><ul class="fields">${named.map(
    ({ name, in: place, schema, description, required }) =>
      html`<li><code>${name}</code> <span class="quiet">${place}, ${typeName(schema ?? {}, schemas)}${required === true ? '' : ', optional'}</span>
<span class="about">${prose(description)}</span></li>`,
  )}</ul>`
}

function renderBody(body: OpenAPIV3.OperationObject['requestBody'], schemas: Schemas): Markup | undefined {
  if (body === undefined || '$ref' in body) return undefined
  const [type, media] = Object.entries(body.content)[0] ?? []
  if (media?.schema === undefined) return undefined
  return html`<h4>Body <span class="quiet">${type}</span></h4>${renderSchema(media.schema, schemas)}`
}

function renderAnswer(
  status: string,
  answer: OpenAPIV3.ResponseObject | OpenAPIV3.ReferenceObject,
  schemas: Schemas,
): Markup {
  if ('$ref' in answer) return html``
  const [, media] = Object.entries(answer.content ?? {})[0] ?? []
  return html`<details class="answer"><summary><code>${status === 'default' ? 'error' : status}</code> <span class="about">${answer.description}</span></summary>
${media?.schema !== undefined && renderSchema(media.schema, schemas)}</details>`
}

/** A curl command. `$TUTTI` stands for `username:password`, so that no secret gets into the history of the shell. */
function curlOf({ method, path, described }: Operation, origin: string): string {
  const parts = ['curl']
  if (method !== 'get') parts.push('-X', method.toUpperCase())
  if (described.security !== undefined && described.security.length > 0) parts.push('-u', '"$TUTTI"')
  if (described.requestBody !== undefined) parts.push('-H', "'content-type: application/json'", '-d', "'{…}'")
  return [...parts, `'${origin}${path}'`].join(' ')
}

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject
export type Schemas = Readonly<Record<string, Schema>>

const maxDepth = 6

/** A schema as a nested list of fields with name, type and description. */
function renderSchema(schema: Schema, schemas: Schemas, depth = 0): Markup {
  const known = resolve(schema, schemas)
  const fields = fieldsOf(known, schemas)
  if (fields === undefined || depth >= maxDepth) return html`<p class="quiet">${typeName(known, schemas)}</p>`
  const required = new Set(fields.required)
  return html`<ul class="fields">${Object.entries(fields.properties ?? {}).map(([name, property]) => {
    const field = resolve(property, schemas)
    const nested = fieldsOf(field, schemas)
    return html`<li><code>${name}</code> <span class="quiet">${typeName(field, schemas)}${required.has(name) ? '' : ', optional'}</span>
${field.description !== undefined && html`<span class="about">${prose(field.description)}</span>`}
${nested !== undefined && renderSchema(nested, schemas, depth + 1)}</li>`
  })}</ul>`
}

/** The object whose fields are listed: the schema itself, or the items of its array. */
function fieldsOf(schema: OpenAPIV3.SchemaObject, schemas: Schemas): OpenAPIV3.SchemaObject | undefined {
  if (schema.type === 'array') return fieldsOf(resolve(schema.items, schemas), schemas)
  return schema.properties !== undefined && Object.keys(schema.properties).length > 0 ? schema : undefined
}

/** A type in a few words: `text`, `integer, 1 to 200`, `list of text`, `"ready" or "not_ready"`. */
function typeName(given: Schema, schemas: Schemas): string {
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

/** A sentence with the text between backticks as code. */
function prose(text: string | undefined): Markup | undefined {
  if (text === undefined) return undefined
  return html`${text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`
}
