import { Type } from 'typebox'
import { stringify } from 'yaml'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '../http-server.ts'
import { describeOpenApi, type OpenApiDocument } from './describe.ts'

const open = { open: 'a description contains no data' } as const

/** Serves the OpenAPI description of all APIs and of each one, generated once at the first request. */
export function addOpenApiRoutes(routes: HttpServer): void {
  const texts = new Map<string, { readonly yaml: string; readonly json: string }>()

  function textsOf(name: string): { readonly yaml: string; readonly json: string } {
    const known = texts.get(name)
    if (known !== undefined) return known
    const document = describeOpenApi(routes, name === '' ? undefined : name)
    if (document === undefined) {
      throw kernelFailure('not_found', {
        message: `There is no API "${name}"; use one of ${routes.interfaces.map((it) => it.name).join(', ')}.`,
      })
    }
    const written = { yaml: writeYaml(document), json: JSON.stringify(document) }
    texts.set(name, written)
    return written
  }

  routes.get(
    '/openapi.yaml',
    {
      config: { access: open },
      schema: {
        summary: 'Get the OpenAPI description as YAML',
        description: 'Describes all APIs of this server in OpenAPI 3.0.3.',
        response: {
          200: {
            description: 'The OpenAPI description.',
            content: { 'application/yaml': { schema: Type.String() } },
          },
        },
      },
    },
    async (_request, reply) => reply.type('application/yaml; charset=utf-8').send(textsOf('').yaml),
  )
  routes.get(
    '/openapi.json',
    {
      config: { access: open },
      schema: {
        summary: 'Get the OpenAPI description as JSON',
        description: 'Describes all APIs of this server in OpenAPI 3.0.3.',
        response: {
          200: {
            description: 'The OpenAPI description.',
            content: { 'application/json': { schema: Type.Unknown() } },
          },
        },
      },
    },
    async (_request, reply) => reply.type('application/json; charset=utf-8').send(textsOf('').json),
  )
  routes.get(
    '/openapi/:document',
    {
      config: { access: open },
      schema: {
        summary: 'Get the OpenAPI description of one API',
        params: Type.Object({
          document: Type.String({
            pattern: '^[a-z-]+\\.(yaml|json)$',
            'x-means': 'must be the name of an API with .yaml or .json',
            description: 'The name of an API, with `.yaml` or `.json`.',
          }),
        }),
        response: {
          200: {
            description: 'The OpenAPI description.',
            content: { 'application/yaml': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const [name = '', format] = request.params.document.split('.')
      const { yaml, json } = textsOf(name)
      return format === 'yaml'
        ? reply.type('application/yaml; charset=utf-8').send(yaml)
        : reply.type('application/json; charset=utf-8').send(json)
    },
  )
}

function writeYaml(document: OpenApiDocument): string {
  return stringify(document, { lineWidth: 110, aliasDuplicateObjects: false })
}
