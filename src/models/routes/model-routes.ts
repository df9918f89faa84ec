import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { auditContextOf } from '../audit-context.ts'
import type { CatalogueEntry, CatalogueSource } from '../gateway/catalogue-entry.ts'
import { findEntriesByName } from '../gateway/find-entries.ts'
import type { ResponseTimes } from '../routing/response-times.ts'
import {
  type ModelRoute,
  type RouteDefinition,
  routeDefinitionSchema,
  routeLimits,
  routeNameSchema,
} from '../routing/route.ts'
import type { ModelRoutes, RouteVersion } from '../routing/routes.ts'
import { addExplainRoute } from './explain-route.ts'

export interface ModelRouteOptions {
  readonly modelRoutes: ModelRoutes
  readonly catalogue: CatalogueSource
  readonly responseTimes: Pick<ResponseTimes, 'of'>
}

const readAccess = { signedIn: true, scope: 'models.read' } as const
const changeAccess = { permission: 'administer llm' } as const

const params = Type.Object({ name: routeNameSchema })

const Version = Type.Integer({ minimum: 1, maximum: routeLimits.versions })
const Account = Type.Union([Type.String(), Type.Null()], { description: 'The account that changed it.' })

const Route = Type.Object(
  {
    name: Type.String(),
    version: Type.Integer({ description: 'The active version.' }),
    ...routeDefinitionSchema.properties,
    updated_at: Type.String({ format: 'date-time' }),
    updated_by: Account,
  },
  { description: 'A route with its active definition.' },
)

const Warning = Type.Object({
  path: Type.String(),
  message: Type.String(),
  code: Type.String({ description: '`unknown_model`.' }),
})

const SavedRoute = Type.Object(
  {
    ...Route.properties,
    warnings: Type.Array(Warning, {
      description: 'Targets that the catalogue does not have now; the route ignores them until it does.',
    }),
  },
  { description: 'The route with its active definition.' },
)

const Versions = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          version: Type.Integer(),
          ...routeDefinitionSchema.properties,
          created_at: Type.String({ format: 'date-time' }),
          created_by: Account,
        },
        { description: 'A version.' },
      ),
    ),
    total: Type.Integer({ description: 'The number of all versions.' }),
  },
  { description: 'The versions, the newest first.' },
)

const versionsPage = { limit: 50, maxLimit: 200 } as const

/** Routes: names that callers use in place of a model, with versions. */
export function addModelRouteRoutes(routes: HttpServer, options: ModelRouteOptions): void {
  const { modelRoutes, catalogue } = options

  /** Throws `not_found` for an unknown name. */
  async function requireRoute(name: string): Promise<ModelRoute> {
    const found = (await modelRoutes.read()).get(name)
    if (found === undefined) throw unknownRoute(name)
    return found
  }

  async function describeSaved(route: ModelRoute): Promise<Static<typeof SavedRoute>> {
    const [entries, known] = await Promise.all([catalogue.find(), modelRoutes.read()])
    return { ...describeRoute(route), warnings: findWarnings(route.definition, entries, known) }
  }

  routes.get(
    '/api/v1/model-routes',
    {
      config: { access: readAccess },
      schema: {
        operationId: 'listModelRoutes',
        summary: 'List routes',
        description: 'Returns the routes, ordered by name.',
        response: {
          200: Type.Object(
            { data: Type.Array(Route), total: Type.Integer() },
            { description: 'All routes.' },
          ),
        },
      },
    },
    async (_request, reply) => {
      const known = [...(await modelRoutes.read()).values()]
      const data = known.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(describeRoute)
      return reply.header('cache-control', 'no-store').send({ data, total: data.length })
    },
  )

  routes.get(
    '/api/v1/model-routes/:name',
    {
      config: { access: readAccess },
      schema: {
        operationId: 'readModelRoute',
        summary: 'Get a route',
        params,
        response: { 200: SavedRoute },
      },
    },
    async ({ params: { name } }, reply) => {
      const route = await requireRoute(name)
      return reply.header('cache-control', 'no-store').send(await describeSaved(route))
    },
  )

  routes.put(
    '/api/v1/model-routes/:name',
    {
      config: { access: changeAccess },
      schema: {
        operationId: 'saveModelRoute',
        summary: 'Save a route',
        description:
          'Stores a new version and activates it, at all replicas. The name takes precedence over a model with the same id, which can still be called as `provider/id`. Targets name models of the catalogue, never routes.',
        params,
        body: routeDefinitionSchema,
        response: { 200: SavedRoute },
      },
    },
    async (request, reply) => {
      const { params: given, body } = request
      const saved = await modelRoutes.save(given.name, body, auditContextOf(request))
      return reply.header('cache-control', 'no-store').send(await describeSaved(saved))
    },
  )

  routes.delete(
    '/api/v1/model-routes/:name',
    {
      config: { access: changeAccess },
      schema: {
        operationId: 'removeModelRoute',
        summary: 'Delete a route',
        description: 'Deletes the route with all its versions. Running calls finish.',
        params,
        response: { 204: Type.Null({ description: 'The route was deleted.' }) },
      },
    },
    async (request, reply) => {
      const { name } = request.params
      if (!(await modelRoutes.remove(name, auditContextOf(request)))) throw unknownRoute(name)
      return reply.code(204).send(null)
    },
  )

  routes.get(
    '/api/v1/model-routes/:name/versions',
    {
      config: { access: readAccess },
      schema: {
        operationId: 'listModelRouteVersions',
        summary: 'List the versions of a route',
        params,
        querystring: Type.Object({
          page: Type.Integer({ minimum: 1, maximum: routeLimits.versions, default: 1 }),
          limit: Type.Integer({ minimum: 1, maximum: versionsPage.maxLimit, default: versionsPage.limit }),
        }),
        response: { 200: Versions },
      },
    },
    async ({ params: { name }, query: { page, limit } }, reply) => {
      const { versions, total } = await modelRoutes.versions(name, { limit, offset: (page - 1) * limit })
      if (total === 0) throw unknownRoute(name)
      return reply.header('cache-control', 'no-store').send({ data: versions.map(describeVersion), total })
    },
  )

  routes.post(
    '/api/v1/model-routes/:name/activate',
    {
      config: { access: changeAccess },
      schema: {
        operationId: 'activateModelRoute',
        summary: 'Activate a version of a route',
        description: 'Calls that start from now on use this version, at all replicas.',
        params,
        body: Type.Object({ version: Version }, { additionalProperties: false }),
        response: { 200: SavedRoute },
      },
    },
    async (request, reply) => {
      const { params: given, body } = request
      const activated = await modelRoutes.activate(given.name, body.version, auditContextOf(request))
      if (activated === undefined) {
        await requireRoute(given.name)
        throw kernelFailure('not_found', {
          message: `The route "${given.name}" has no version ${body.version}.`,
        })
      }
      return reply.header('cache-control', 'no-store').send(await describeSaved(activated))
    },
  )

  addExplainRoute(routes, { ...options, params, access: readAccess, requireRoute })
}

function unknownRoute(name: string) {
  return kernelFailure('not_found', { message: `There is no route "${name}".` })
}

function describeRoute({
  name,
  version,
  definition,
  updatedAt,
  updatedBy,
}: ModelRoute): Static<typeof Route> {
  return { name, version, ...definition, updated_at: updatedAt.toISOString(), updated_by: updatedBy }
}

function describeVersion({ version, definition, createdAt, createdBy }: RouteVersion) {
  return { version, ...definition, created_at: createdAt.toISOString(), created_by: createdBy }
}

function findWarnings(
  { targets }: RouteDefinition,
  entries: readonly CatalogueEntry[],
  known: ReadonlyMap<string, ModelRoute>,
): Static<typeof Warning>[] {
  return targets.flatMap(({ model }, index) => {
    if (findEntriesByName(model, entries).length > 0) return []
    const message = known.has(model)
      ? `"${model}" is a route; targets name models`
      : `no provider offers the model "${model}"`
    return [{ path: `targets[${index}].model`, message, code: 'unknown_model' }]
  })
}
