import { type Static, Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { patchTour } from '../content/patch-tour.ts'
import { toursPath } from '../interface.ts'
import type { ToursOptions } from '../route-options.ts'
import { changeTour, deleteTour } from '../store/change-tour.ts'
import { readTour } from '../store/read-tours.ts'
import { Tour } from '../tour.ts'
import { may } from './access.ts'
import { dataHeaders } from './data-headers.ts'
import { expectedRevision, tagOf } from './if-match.ts'
import { ChangedTourBody, revisionQuery, succeeded, tourParams } from './requests.ts'

export type ChangedTour = Static<typeof ChangedTourBody>

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
