import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { toursPath } from '../api.ts'
import { draftTour } from '../creation/draft-tour.ts'
import type { ToursOptions } from '../route-options.ts'
import { insertTour } from '../store/insert-tour.ts'
import { Tour } from '../tour.ts'
import { may } from './access.ts'
import { tagOf } from './if-match.ts'
import { NewTourBody, successResponse } from './schemas.ts'

export function addCreateRoute(routes: HttpServer, options: Pick<ToursOptions, 'database' | 'events'>): void {
  routes.post(
    toursPath,
    {
      config: { access: may.create, idempotent: true },
      schema: {
        operationId: 'createTour',
        summary: 'Create a tour',
        description:
          'Creates a draft. Its machine name is derived from the label, with a number when the name exists; an `id` that exists is refused (422 `duplicate`).',
        body: NewTourBody,
        response: {
          201: {
            ...successResponse({ tour: Tour }, 'The new tour.'),
            headers: { Location: Type.String({ description: 'Path of the tour.' }) },
          },
        },
      },
    },
    async (request, reply) => {
      const draft = draftTour(request.body)
      const tour = await insertTour(options, { ...draft, by: actorOf(request) })
      return reply
        .code(201)
        .headers({
          location: `${toursPath}/${tour.id}`,
          etag: tagOf(tour.revision),
          'cache-control': 'no-store',
        })
        .send({ success: true, tour })
    },
  )
}
