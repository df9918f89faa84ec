import type { ApiDefinition, HttpServer, OpenApiDocument } from '#kernel/http'
import { describeOpenApi, setPagePolicy } from '#kernel/http'
import { brand, html, type Markup, renderPage } from '#kernel/pages'
import type { Schemas } from './render-operation.ts'
import { anchorOf, type Operation, renderOperation } from './render-operation.ts'
import { referenceStyles } from './styles.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Serves `/docs`: the OpenAPI description as a page, without scripts. */
export function addReferencePage(routes: HttpServer): void {
  routes.get(
    '/docs',
    { config: { access: { open: 'a description holds no data' }, undocumented: true } },
    async (request, reply) => {
      const document = describeOpenApi(routes)
      const nonce = setPagePolicy(reply)
      const origin = `${request.protocol}://${request.host}`
      return reply.type('text/html; charset=utf-8').send(
        renderPage({
          title: 'API reference',
          nonce,
          width: 'wide',
          styles: referenceStyles,
          body: document === undefined ? html`` : renderReference(document, routes.interfaces, origin),
        }),
      )
    },
  )
}

function renderReference(
  document: OpenApiDocument,
  interfaces: readonly ApiDefinition[],
  origin: string,
): Markup {
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

function operationsOf(document: OpenApiDocument, tag: string): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const described = item?.[method]
      return described?.tags?.includes(tag) === true ? [{ method, path, described }] : []
    }),
  )
}
