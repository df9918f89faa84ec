import { Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { toursPath } from '../api.ts'
import type { ToursOptions } from '../route-options.ts'
import { listTours } from '../store/read-tours.ts'
import { Tour } from '../tour.ts'
import { may } from './access.ts'
import { dataHeaders } from './data-headers.ts'
import { successResponse } from './schemas.ts'

export function addListRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    toursPath,
    {
      config: { access: may.read },
      schema: {
        operationId: 'listTours',
        summary: 'List tours',
        description: 'All tours, oldest first, filtered by status or a search text.',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(
            Type.Boolean({ description: 'True: only published tours; false: only drafts.' }),
          ),
          search: Type.Optional(
            Type.String({ maxLength: 255, description: 'Only tours with this text in their label or id.' }),
          ),
        }),
        response: {
          200: successResponse(
            {
              tours: Type.Array(Tour),
              total: Type.Integer({ description: 'Number of tours on all pages.' }),
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
