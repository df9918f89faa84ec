import type { OpenAPIV3 } from 'openapi-types'
import type { ApiDefinition } from '../api-definition.ts'
import type { HttpServer } from '../http-server.ts'

export type OpenApiDocument = OpenAPIV3.Document

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Describes all APIs, or one API as a document of its own; undefined for an unknown name. Call after `app.ready()`. */
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
