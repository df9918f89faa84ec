import type { OpenAPIV3 } from 'openapi-types'
import {
  type ApiDefinition,
  describeOpenApi,
  type HttpServer,
  type OpenApiDocument,
  setPagePolicy,
} from '#kernel/http'
import { brand, html, type Markup, renderPage } from '#kernel/pages'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** The parts of the page that differ between requests. */
const nonceMark = '__NONCE__'
const originMark = '__ORIGIN__'

/** Serves `/docs`: the OpenAPI description as a page, without scripts. */
export function addReferencePage(routes: HttpServer): void {
  // Rendering hundreds of operations takes a tenth of a second, and anyone may request the page.
  let rendered: string | undefined
  const render = (nonce: string, origin: string): string => {
    rendered ??= renderPage({
      title: 'API reference',
      nonce: nonceMark,
      width: 'wide',
      styles: referenceStyles,
      body: renderReference(describeOpenApi(routes), routes.interfaces, originMark),
    })
    return rendered.replaceAll(nonceMark, () => nonce).replaceAll(originMark, () => html`${origin}`.text)
  }

  routes.get(
    '/docs',
    { config: { access: { open: 'a description holds no data' }, undocumented: true } },
    async (request, reply) => {
      const nonce = setPagePolicy(reply)
      const origin = `${request.protocol}://${request.host}`
      return reply.type('text/html; charset=utf-8').send(render(nonce, origin))
    },
  )
}

function renderReference(
  document: OpenApiDocument | undefined,
  interfaces: readonly ApiDefinition[],
  origin: string,
): Markup {
  if (document === undefined) return html``
  const schemas: Schemas = document.components?.schemas ?? {}
  const documented = interfaces.map((definition) => ({
    definition,
    operations: operationsOf(document, definition.name),
  }))
  return html`<nav aria-label="Interfaces">
<a class="brand" href="/">${brand}</a>
${documented.map(
  ({ definition, operations }) => html`<h2><a href="#${definition.name}">${definition.title}</a></h2>
<ul>${operations.map(
    (operation) =>
      html`<li><a href="#${anchorOf(operation)}"><span class="method ${operation.method}">${operation.method.toUpperCase()}</span> ${operation.path}</a></li>`,
  )}</ul>`,
)}
</nav>
<main>
<h1>API reference</h1>
<p>Everything this server answers, written from its own routes. Also as
<a href="/openapi.yaml">OpenAPI YAML</a> and <a href="/openapi.json">JSON</a>.</p>
${documented.map(
  ({ definition, operations }) => html`<section id="${definition.name}">
<h2>${definition.title}</h2>
<p>${definition.description} <a href="/openapi/${definition.name}.yaml">Its own description</a></p>
${operations.map((operation) => renderOperation(operation, schemas, origin))}
</section>`,
)}
</main>`
}

/** An operation as a part of a page. */
export interface OperationPart {
  readonly anchor: string
  /** Its method and path. */
  readonly name: string
  readonly summary: string
  readonly markup: Markup
}

/** The operations of one API of an OpenAPI document, for pages of the documentation. Does not throw. */
export function renderOperations(
  document: OpenApiDocument,
  tag: string,
  origin: string,
): readonly OperationPart[] {
  const schemas: Schemas = document.components?.schemas ?? {}
  return operationsOf(document, tag).map((operation) => ({
    anchor: anchorOf(operation),
    name: `${operation.method.toUpperCase()} ${operation.path}`,
    summary: operation.described.summary ?? '',
    markup: renderOperation(operation, schemas, origin),
  }))
}

function operationsOf(document: OpenApiDocument, tag: string): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const described = item?.[method]
      return described?.tags?.includes(tag) === true ? [{ method, path, described }] : []
    }),
  )
}

/** The styles of operations. */
export const operationStyles = `h4 { font-size: 13px; margin: 16px 0 4px; }
.operation { border: 1px solid var(--line); border-radius: 6px; background: var(--surface); margin: 0 0 8px; }
.operation > summary { padding: 8px 12px; cursor: pointer; overflow-wrap: anywhere; }
.operation:has(:target) { border-color: var(--accent); }
.inside { scroll-margin-top: 56px; border-top: 1px solid var(--line); padding: 12px; }
.method { display: inline-block; min-width: 48px; font: 600 12px/1.5 ui-monospace, Menlo, Consolas, monospace; color: var(--accent); }
.method.delete { color: var(--wrong); }
.method.post, .method.put, .method.patch { color: var(--right); }
.about { color: var(--quiet); }
.fields .fields { margin-left: 16px; padding-left: 12px; border-left: 1px solid var(--line); }
.fields li { padding: 2px 0; }
.fields .about { display: block; }
.answer summary { cursor: pointer; padding: 2px 0; }
`

const referenceStyles = `
body.wide { display: grid; grid-template-columns: 280px minmax(0, 1fr); min-height: 100vh; }
nav {
  border-right: 1px solid var(--line); padding: 24px 16px; background: var(--surface);
  position: sticky; top: 0; height: 100vh; overflow-y: auto;
}
nav ul, .fields { list-style: none; margin: 0; padding: 0; }
nav h2 { font-size: 13px; margin: 16px 0 4px; }
nav a { color: var(--text); text-decoration: none; display: block; padding: 2px 4px; border-radius: 4px; overflow-wrap: anywhere; }
nav li a { font: 12px/1.6 ui-monospace, Menlo, Consolas, monospace; color: var(--quiet); }
nav a.brand { display: flex; }
nav a:hover { color: var(--accent); }
main { padding: 24px 32px 64px; max-width: 880px; }
${operationStyles}nav .method { min-width: 44px; font-size: 11px; }
pre { background: var(--code); border-radius: 6px; padding: 8px 12px; overflow-x: auto; margin: 0; }
@media (max-width: 760px) {
  body.wide { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul { display: none; }
  main { padding: 16px; }
}
`

interface Operation {
  readonly method: string
  readonly path: string
  readonly described: OpenAPIV3.OperationObject & { readonly 'x-access'?: string }
}

/** An anchor derived from method and path, so that links keep working. `/a`, `/a/` and `/a/*` have three. */
function anchorOf({ method, path }: Operation): string {
  return `${method}${path
    .replace('*', 'any')
    .replace(/\/$/, '/index')
    .replaceAll(/[^a-z0-9]+/gi, '-')}`
    .replace(/-$/, '')
    .toLowerCase()
}

/** One operation, collapsed to its summary. The anchor is inside: a browser expands the element that contains the target of a link. */
function renderOperation(operation: Operation, schemas: Schemas, origin: string): Markup {
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
type Schemas = Readonly<Record<string, Schema>>

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
