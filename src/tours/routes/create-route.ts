import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { draftTour } from '../creation/draft-tour.ts'
import { toursPath } from '../interface.ts'
import type { ToursOptions } from '../route-options.ts'
import { insertTour } from '../store/insert-tour.ts'
import { Tour } from '../tour.ts'
import { may } from './access.ts'
import { tagOf } from './if-match.ts'
import { NewTourBody, succeeded } from './requests.ts'

/** Making tours. */
export function addCreateRoute(routes: HttpServer, options: Pick<ToursOptions, 'database' | 'events'>): void {
  routes.post(
    toursPath,
    {
      config: { access: may.create, idempotent: true },
      schema: {
        operationId: 'createTour',
        summary: 'Make a tour',
        description:
          'It is a draft. Its name for machines comes from the label, with a number when that is taken; an `id` of your own is honoured or refused (422 `duplicate`).',
        body: NewTourBody,
        response: {
          201: {
            ...succeeded({ tour: Tour }, 'The new tour.'),
            headers: { Location: Type.String({ description: 'Its address.' }) },
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
