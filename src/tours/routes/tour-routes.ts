import { type Static, Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { toursPath } from '../api.ts'
import { checkLabel } from '../content/check-label.ts'
import { noProblems, type Problems, throwProblems } from '../content/problems.ts'
import { readRoutes } from '../content/read-routes.ts'
import { readTips } from '../content/read-tips.ts'
import { unprocessable } from '../errors.ts'
import type { ToursOptions } from '../route-options.ts'
import { changeTour, deleteTour, type TourPatch } from '../store/change-tour.ts'
import { readTour } from '../store/read-tours.ts'
import { Tour } from '../tour.ts'
import { may } from './access.ts'
import { dataHeaders } from './data-headers.ts'
import { expectedRevision, tagOf } from './if-match.ts'
import { ChangedTourBody, revisionQuery, successResponse, tourParams } from './schemas.ts'

type ChangedTour = Static<typeof ChangedTourBody>

/** Read, change and delete a tour. */
export function addTourRoutes(routes: HttpServer, options: Pick<ToursOptions, 'database' | 'events'>): void {
  const path = `${toursPath}/:tour`

  routes.get(
    path,
    {
      config: { access: may.read },
      schema: {
        operationId: 'readTour',
        summary: 'Get a tour',
        description: 'A tour with its steps.',
        params: tourParams,
        response: { 200: successResponse({ tour: Tour }, 'The tour.') },
      },
    },
    async ({ params }, reply) => {
      const tour = await readTour(options.database, params.tour)
      return reply.headers({ ...dataHeaders, etag: tagOf(tour.revision) }).send({ success: true, tour })
    },
  )

  routes.put(
    path,
    {
      config: { access: may.edit },
      schema: {
        operationId: 'changeTour',
        summary: 'Update a tour',
        description:
          'Absent fields stay unchanged; `{"status": true}` publishes the tour. With `revision` (or `If-Match`) the change is refused when another request changed the tour in the meantime: 409 with the current tour.',
        params: tourParams,
        body: ChangedTourBody,
        response: { 200: successResponse({ tour: Tour }, 'The updated tour.') },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request
      const revision = expectedRevision(headers['if-match'], body.revision)
      const tour = await changeTour(options, params.tour, { by: actorOf(request), revision }, (current) =>
        patchTour(current, body),
      )
      return reply
        .headers({ 'cache-control': 'no-store', etag: tagOf(tour.revision) })
        .send({ success: true, tour })
    },
  )

  routes.delete(
    path,
    {
      config: { access: may.delete },
      schema: {
        operationId: 'deleteTour',
        summary: 'Delete a tour',
        description: 'Also deletes the analytics of the tour. Its linked recipe stays.',
        params: tourParams,
        querystring: revisionQuery,
        response: { 200: successResponse({ message: Type.String() }, 'The tour was deleted.') },
      },
    },
    async (request, reply) => {
      const { params, query, headers } = request
      const revision = expectedRevision(headers['if-match'], query.revision)
      const { label } = await deleteTour(options, params.tour, { by: actorOf(request), revision })
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, message: `The tour “${label}” was deleted.` })
    },
  )
}

/** Validates the changes of a tour. Throws all problems at once. */
function patchTour(tour: Tour, given: ChangedTour): TourPatch {
  const found = noProblems()
  if (given.id !== undefined && given.id !== tour.id) {
    throw unprocessable({ path: 'id', message: `must stay ${tour.id}`, code: 'immutable' })
  }
  const routes = given.routes === undefined ? tour.routes : readRoutes(given.routes, 'routes', found)
  const tips = given.tips === undefined ? tour.tips : readTips(given.tips, { routes, path: 'tips', found })
  if (given.tips === undefined) collectLostRoutes(tips, routes, found)
  const label = readLabel(given.label, found)
  throwProblems(found)
  return {
    routes,
    tips,
    ...(label !== undefined && { label }),
    ...(given.status !== undefined && { status: given.status }),
    ...(given.recipe_id !== undefined && { recipe_id: given.recipe_id || null }),
    ...(given.launch !== undefined && { launch: given.launch }),
  }
}

function readLabel(label: string | undefined, found: Problems): string | undefined {
  if (label === undefined) return undefined
  const problem = checkLabel(label, 'label')
  if (problem !== undefined) found.invalid.push(problem)
  return label.trim()
}

/** A removed route must not be used by a step. */
function collectLostRoutes(tips: Tour['tips'], routes: Tour['routes'], found: Problems): void {
  for (const { label, route } of tips) {
    if (route === null || routes.some(({ route_name }) => route_name === route)) continue
    found.unprocessable.push({
      path: 'routes',
      message: `must keep ${route}, which the step “${label}” uses`,
      code: 'in_use',
    })
  }
}
