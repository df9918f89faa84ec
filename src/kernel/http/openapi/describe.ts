import type { OpenAPIV3 } from 'openapi-types'
import type { HttpServer } from '../http-server.ts'
import type { InterfaceDefinition } from '../interface-definition.ts'

export type OpenApiDocument = OpenAPIV3.Document

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Describes the whole platform, or one interface as a document that stands alone. Call after `app.ready()`. */
export function describeOpenApi(app: HttpServer, interfaceName?: string): OpenApiDocument | undefined {
  const told = app.interfaces.filter(({ name }) => interfaceName === undefined || name === interfaceName)
  const [only] = told
  if (only === undefined) return undefined
  const all = structuredClone(app.swagger()) as OpenApiDocument
  const paths: OpenAPIV3.PathsObject = {}
  for (const [path, item] of Object.entries(all.paths)) {
    const kept = keepTagged(item ?? {}, told)
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
    tags: told.map(({ name, title, description }) => ({ name, description: `${title}. ${description}` })),
    paths,
    components: {
      ...all.components,
      schemas: {
        ...all.components?.schemas,
        ...Object.fromEntries(told.map((it) => [errorName(it), plainSchema(it)])),
      },
    },
  }
}

/** Keeps the operations of these interfaces, and gives each the error body of its own. */
function keepTagged(
  item: OpenAPIV3.PathItemObject,
  told: readonly InterfaceDefinition[],
): OpenAPIV3.PathItemObject {
  const kept: OpenAPIV3.PathItemObject = {}
  for (const method of methods) {
    const operation = item[method]
    const spoken = told.find(({ name }) => operation?.tags?.includes(name))
    if (operation === undefined || spoken === undefined) continue
    kept[method] = {
      ...operation,
      ...(operation.parameters !== undefined && { parameters: operation.parameters.map(leaveOut) }),
      responses: {
        ...operation.responses,
        default: {
          description: 'What went wrong, in the shape of this interface.',
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${errorName(spoken)}` } } },
        },
      },
    }
  }
  return kept
}

/** A parameter with a default is one the caller may leave out, whatever the validator's schema calls it. */
function leaveOut<Parameter extends OpenAPIV3.ParameterObject | OpenAPIV3.ReferenceObject>(
  parameter: Parameter,
) {
  const hasDefault =
    'schema' in parameter &&
    parameter.schema !== undefined &&
    'default' in parameter.schema &&
    parameter.in !== 'path'
  return hasDefault ? { ...parameter, required: false } : parameter
}

function errorName({ name }: InterfaceDefinition): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Error`
}

function plainSchema({ errorSchema }: InterfaceDefinition): OpenAPIV3.SchemaObject {
  return JSON.parse(JSON.stringify(errorSchema)) as OpenAPIV3.SchemaObject
}
