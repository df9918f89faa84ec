import swagger from '@fastify/swagger'
import type { OpenAPIV3 } from 'openapi-types'
import { Type } from 'typebox'
import { stringify } from 'yaml'
import { kernelFailure } from '#kernel/errors'
import { describeAccess } from './access.ts'
import type { ApiDefinition } from './api-definition.ts'
import type { HttpServer } from './http-server.ts'

export type OpenApiDocument = OpenAPIV3.Document

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Describes all APIs, or one API as a document of its own; undefined for an unknown name. Throws before `app.ready()`. */
export function describeOpenApi(app: HttpServer, interfaceName?: string): OpenApiDocument | undefined {
  const apis = app.interfaces.filter(({ name }) => interfaceName === undefined || name === interfaceName)
  const [only] = apis
  if (only === undefined) return undefined
  const all = structuredClone(app.swagger()) as OpenApiDocument
  const paths: OpenAPIV3.PathsObject = {}
  for (const [path, item] of Object.entries(all.paths)) {
    const kept = keepTagged(item ?? {}, apis)
    if (Object.keys(kept).length > 0) paths[path] = kept
  }
  return {
    openapi: all.openapi,
    info:
      interfaceName === undefined
        ? all.info
        : {
            title: `Tutti ${only.title}`,
            version: only.version,
            description: only.description,
            license: { name: 'MIT' },
          },
    tags: apis.map(({ name, title, description }) => ({ name, description: `${title}. ${description}` })),
    paths,
    components: {
      ...all.components,
      schemas: {
        ...all.components?.schemas,
        ...Object.fromEntries(apis.map((it) => [errorName(it), plainSchema(it)])),
      },
    },
  }
}

/** Keeps the operations of these APIs, and adds the error response of their API. */
function keepTagged(
  item: OpenAPIV3.PathItemObject,
  apis: readonly ApiDefinition[],
): OpenAPIV3.PathItemObject {
  const kept: OpenAPIV3.PathItemObject = {}
  for (const method of methods) {
    const operation = item[method]
    const api = apis.find(({ name }) => operation?.tags?.includes(name))
    if (operation === undefined || api === undefined) continue
    kept[method] = {
      ...operation,
      ...(operation.parameters !== undefined && { parameters: operation.parameters.map(makeOptional) }),
      responses: {
        ...operation.responses,
        default: {
          description: 'Error, in the error format of this API.',
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${errorName(api)}` } } },
        },
      },
    }
  }
  return kept
}

/** Marks a parameter with a default as optional, even if the validator's schema requires it. */
function makeOptional<Parameter extends OpenAPIV3.ParameterObject | OpenAPIV3.ReferenceObject>(
  parameter: Parameter,
) {
  const hasDefault =
    'schema' in parameter &&
    parameter.schema !== undefined &&
    'default' in parameter.schema &&
    parameter.in !== 'path'
  return hasDefault ? { ...parameter, required: false } : parameter
}

function errorName({ name }: ApiDefinition): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Error`
}

function plainSchema({ errorSchema }: ApiDefinition): OpenAPIV3.SchemaObject {
  return JSON.parse(JSON.stringify(errorSchema)) as OpenAPIV3.SchemaObject
}

const securitySchemes: Record<string, OpenAPIV3.SecuritySchemeObject> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'SESS',
    description: 'The session cookie that a browser gets by signing in.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or an access token.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key.',
  },
  basic: { type: 'http', scheme: 'basic', description: 'Username and password.' },
}

/** Every operation accepts every kind of credential: permissions and scopes decide. */
const anyCredential = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))

/** Collects all routes registered from now on into one OpenAPI 3.0.3 document. */
export async function collectOpenApi(app: HttpServer, version: string): Promise<void> {
  const pages = new Set<string>()
  app.addHook('onRoute', ({ method, url, constraints }) => {
    if (constraints !== undefined && 'wants' in constraints) pages.add(`${String(method)} ${url}`)
  })
  await app.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: 'Tutti',
        version,
        description: 'All APIs of the platform in one description.',
        license: { name: 'MIT' },
      },
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => {
      const { access, undocumented } = route.config ?? {}
      const hide = undocumented === true || schema?.hide === true
      const hasPage = !hide && pages.has(`${String(route.method)} ${route.url}`)
      const described = { ...schema, ...(hasPage && { response: withPage(schema?.response) }), hide }
      if (access === undefined) return { schema: described, url }
      const open = 'open' in access
      return {
        url,
        schema: {
          ...described,
          security: open ? [] : anyCredential,
          'x-access': describeAccess(access),
        },
      }
    },
  })
}

/** For two routes with the same path: the described one sends data, the other a page to clients that prefer one. */
function withPage(response: unknown): object {
  const { 200: data, ...others } = response as { readonly 200: { readonly description?: string } }
  return {
    200: {
      description: data.description ?? '',
      content: { 'application/json': { schema: data }, 'text/html': { schema: { type: 'string' } } },
    },
    ...others,
  }
}

const open = { open: 'a description contains no data' } as const

/** How each format is written. */
const writers = {
  // Far slower than JSON: half a second for all APIs.
  yaml: (document: OpenApiDocument) => stringify(document, { lineWidth: 110, aliasDuplicateObjects: false }),
  json: (document: OpenApiDocument) => JSON.stringify(document),
}

/** Serves the OpenAPI description of all APIs and of each one, written once in each format at the first request. An unknown API is `not_found`. */
export function addOpenApiRoutes(routes: HttpServer): void {
  const texts = new Map<string, string>()

  function textOf(name: string, format: keyof typeof writers): string {
    const key = `${name}.${format}`
    const known = texts.get(key)
    if (known !== undefined) return known
    const document = describeOpenApi(routes, name === '' ? undefined : name)
    if (document === undefined) {
      throw kernelFailure('not_found', {
        message: `There is no API "${name}"; use one of ${routes.interfaces.map((it) => it.name).join(', ')}.`,
      })
    }
    const written = writers[format](document)
    texts.set(key, written)
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
    async (_request, reply) => reply.type('application/yaml; charset=utf-8').send(textOf('', 'yaml')),
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
    async (_request, reply) => reply.type('application/json; charset=utf-8').send(textOf('', 'json')),
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
      return format === 'yaml'
        ? reply.type('application/yaml; charset=utf-8').send(textOf(name, 'yaml'))
        : reply.type('application/json; charset=utf-8').send(textOf(name, 'json'))
    },
  )
}
