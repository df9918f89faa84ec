import type { OpenAPIV3 } from 'openapi-types'
import { html, type Markup } from '#kernel/pages'
import { prose } from './prose.ts'
import { renderSchema, type Schemas, typeName } from './render-schema.ts'

export interface Operation {
  readonly method: string
  readonly path: string
  readonly described: OpenAPIV3.OperationObject & { readonly 'x-access'?: string }
}

/** An anchor that stays the same as long as the path does, so that links to it keep working. */
export function anchorOf({ method, path }: Operation): string {
  return `${method}${path.replaceAll(/[^a-z0-9]+/gi, '-')}`.replace(/-$/, '').toLowerCase()
}

/** Shows one operation, folded to its line. The anchor is inside, because a browser unfolds what a link points into. */
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
  const told = parameters.filter((parameter) => 'name' in parameter)
  if (told.length === 0) return undefined
  return html`<h4>Parameters</h4><ul class="fields">${told.map(
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

/** A command to try it with. `$TUTTI` stands for `username:password`, so no secret ends in the shell's history by ours. */
function curlOf({ method, path, described }: Operation, origin: string): string {
  const parts = ['curl']
  if (method !== 'get') parts.push('-X', method.toUpperCase())
  if (described.security !== undefined && described.security.length > 0) parts.push('-u', '"$TUTTI"')
  if (described.requestBody !== undefined) parts.push('-H', "'content-type: application/json'", '-d', "'{…}'")
  return [...parts, `'${origin}${path}'`].join(' ')
}
