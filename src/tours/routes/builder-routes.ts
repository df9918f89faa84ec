import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { findWarnings, Warning } from '../content/find-warnings.ts'
import { toursPath } from '../interface.ts'
import type { ToursOptions } from '../route-options.ts'
import { readTour } from '../store/read-tours.ts'
import { bounds, launches, locations, Tour } from '../tour.ts'
import { may } from './access.ts'
import { dataHeaders } from './data-headers.ts'
import { succeeded, tourParams } from './requests.ts'

const Warnings = Type.Array(Warning, { description: 'What keeps the tour from being worth showing.' })

/** What the builder and the preview show, for programs; people get pages at the same addresses. */
export function addBuilderRoutes(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    `${toursPath}/:tour/builder`,
    {
      config: { access: may.edit },
      constraints: { wants: 'data' },
      schema: {
        operationId: 'readTourBuilder',
        summary: 'What the builder works with',
        description: 'A page, unless the request prefers JSON.',
        params: tourParams,
        response: {
          200: succeeded(
            {
              tour: Tour,
              warnings: Warnings,
              locations: Type.Array(Type.String(), { description: 'Where a step can stand.' }),
              launches: Type.Array(Type.String(), { description: 'How a tour can begin.' }),
              limits: Type.Object({
                steps: Type.Integer(),
                routes: Type.Integer(),
                label: Type.Integer(),
                body: Type.Integer(),
                selector: Type.Integer(),
                candidates: Type.Integer(),
              }),
            },
            'A tour, and what it can hold.',
          ),
        },
      },
    },
    async ({ params }, reply) => {
      const tour = await readTour(database, params.tour)
      const { steps, routes: places, label, body, selector, candidates } = bounds
      return reply.headers(dataHeaders).send({
        success: true,
        tour,
        warnings: findWarnings(tour),
        locations: [...locations],
        launches: [...launches],
        limits: { steps, routes: places, label, body, selector, candidates },
      })
    },
  )

  routes.get(
    `${toursPath}/:tour/preview`,
    {
      config: { access: may.read },
      constraints: { wants: 'data' },
      schema: {
        operationId: 'previewTour',
        summary: 'A tour as visitors would see it',
        description: 'A page, unless the request prefers JSON.',
        params: tourParams,
        response: { 200: succeeded({ tour: Tour, warnings: Warnings }, 'The tour, published or not.') },
      },
    },
    async ({ params }, reply) => {
      const tour = await readTour(database, params.tour)
      return reply.headers(dataHeaders).send({ success: true, tour, warnings: findWarnings(tour) })
    },
  )
}
