import { type Static, Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { checkLabel } from '../content/check-label.ts'
import { type Findings, noFindings, refuseFindings } from '../content/findings.ts'
import { readRoutes } from '../content/read-routes.ts'
import { readTips } from '../content/read-tips.ts'
import { wrongHere } from '../errors.ts'
import { toursPath } from '../interface.ts'
import type { ToursOptions } from '../route-options.ts'
import { changeTour, deleteTour, type TourPatch } from '../store/change-tour.ts'
import { readTour } from '../store/read-tours.ts'
import { Tour } from '../tour.ts'
import { may } from './access.ts'
import { dataHeaders } from './data-headers.ts'
import { expectedRevision, tagOf } from './if-match.ts'
import { ChangedTourBody, revisionQuery, succeeded, tourParams } from './requests.ts'

type ChangedTour = Static<typeof ChangedTourBody>

/** One tour: reading, changing and deleting it. */
export function addTourRoutes(routes: HttpServer, options: Pick<ToursOptions, 'database' | 'events'>): void {
  const path = `${toursPath}/:tour`

  routes.get(
    path,
    {
      config: { access: may.read },
      schema: {
        operationId: 'readTour',
        summary: 'A tour with its steps',
        params: tourParams,
        response: { 200: succeeded({ tour: Tour }, 'The tour.') },
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
        summary: 'Change a tour',
        description:
          'What is left out stays as it is; `{"status": true}` publishes. With `revision` (or `If-Match`) nothing is changed when somebody else did so meanwhile: 409, with the tour as it is now.',
        params: tourParams,
        body: ChangedTourBody,
        response: { 200: succeeded({ tour: Tour }, 'The tour as it is now.') },
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
        description: 'What was counted about it goes with it. A recipe it was exported to stays.',
        params: tourParams,
        querystring: revisionQuery,
        response: { 200: succeeded({ message: Type.String() }, 'The tour is gone.') },
      },
    },
    async (request, reply) => {
      const { params, query, headers } = request
      const revision = expectedRevision(headers['if-match'], query.revision)
      const { label } = await deleteTour(options, params.tour, { by: actorOf(request), revision })
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, message: `The tour “${label}” is deleted.` })
    },
  )
}

/** Reads what is to change in a tour. Throws everything that is wrong with it at once. */
function patchTour(tour: Tour, given: ChangedTour): TourPatch {
  const found = noFindings()
  if (given.id !== undefined && given.id !== tour.id) {
    throw wrongHere({ path: 'id', message: `must stay ${tour.id}`, code: 'immutable' })
  }
  const routes = given.routes === undefined ? tour.routes : readRoutes(given.routes, 'routes', found)
  const tips = given.tips === undefined ? tour.tips : readTips(given.tips, { routes, path: 'tips', found })
  if (given.tips === undefined) refuseLostRoutes(tips, routes, found)
  const label = readLabel(given.label, found)
  refuseFindings(found)
  return {
    routes,
    tips,
    ...(label !== undefined && { label }),
    ...(given.status !== undefined && { status: given.status }),
    ...(given.recipe_id !== undefined && { recipe_id: given.recipe_id || null }),
    ...(given.launch !== undefined && { launch: given.launch }),
  }
}

function readLabel(label: string | undefined, found: Findings): string | undefined {
  if (label === undefined) return undefined
  const mistaken = checkLabel(label, 'label')
  if (mistaken !== undefined) found.invalid.push(mistaken)
  return label.trim()
}

/** A step cannot show where its tour is no more. */
function refuseLostRoutes(tips: Tour['tips'], routes: Tour['routes'], found: Findings): void {
  for (const { label, route } of tips) {
    if (route === null || routes.some(({ route_name }) => route_name === route)) continue
    found.wrong.push({
      path: 'routes',
      message: `must keep ${route}, where the step “${label}” shows`,
      code: 'in_use',
    })
  }
}
