import { Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { toursPath } from '../interface.ts'
import type { ToursOptions } from '../route-options.ts'
import { listTours } from '../store/read-tours.ts'
import { Tour } from '../tour.ts'
import { may } from './access.ts'
import { dataHeaders } from './data-headers.ts'
import { succeeded } from './requests.ts'

/** Which tours there are. */
export function addListRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    toursPath,
    {
      config: { access: may.read },
      schema: {
        operationId: 'listTours',
        summary: 'Tours, the oldest first',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(Type.Boolean({ description: 'Only published ones, or only drafts.' })),
          search: Type.Optional(
            Type.String({ maxLength: 255, description: 'Only those with this in their label or id.' }),
          ),
        }),
        response: {
          200: succeeded(
            {
              tours: Type.Array(Tour),
              total: Type.Integer({ description: 'How many there are, on all pages.' }),
            },
            'A page of tours.',
          ),
        },
      },
    },
    async ({ query }, reply) => {
      const { limit, status, search } = query
      const found = await listTours(database, { status, search, limit, offset: offsetOf(query) })
      return reply.headers(dataHeaders).send({ success: true, ...found })
    },
  )
}
