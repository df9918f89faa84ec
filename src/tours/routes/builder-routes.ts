import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { toursPath } from '../api.ts'
import { pathOfRoute } from '../player/match-route.ts'
import type { ToursOptions } from '../route-options.ts'
import { Site } from '../sites/site.ts'
import { readSiteById } from '../sites/site-store.ts'
import { readTour } from '../store/read-tours.ts'
import { bounds, launches, locations, Tour } from '../tour.ts'
import { successResponse, tourParams } from './schemas.ts'
import { dataHeaders, may } from './shared.ts'

const Warning = Type.Object({
  field: Type.String({ description: 'Path of the field, such as `tips[2].body`.' }),
  message: Type.String(),
  code: Type.String(),
})

/** Reasons why a valid tour is not ready to be published. */
function findWarnings({ routes, tips }: Pick<Tour, 'routes' | 'tips'>) {
  const warnings: { field: string; message: string; code: string }[] = []
  if (tips.length === 0) warnings.push({ field: 'tips', message: 'The tour has no step yet.', code: 'empty' })
  if (routes.length === 0) {
    warnings.push({
      field: 'routes',
      message: 'The tour has no route, so no page shows it.',
      code: 'no_route',
    })
  }
  for (const [index, { label, body }] of tips.entries()) {
    if (body !== '') continue
    warnings.push({
      field: `tips[${index}].body`,
      message: `The step “${label}” has no text yet.`,
      code: 'empty',
    })
  }
  return warnings
}

const Warnings = Type.Array(Warning, { description: 'Reasons why the tour is not ready to be published.' })

const PageUrl = Type.Unsafe<string | null>({
  type: 'string',
  nullable: true,
  description:
    'URL of the first page of the tour that has a fixed path, in the first environment of its site; null: unknown.',
})

/** The site of a tour, and the page to begin with. */
async function describeSite(database: ToursOptions['database'], { site_id, routes }: Tour) {
  const site = await readSiteById(database, site_id)
  const path = routes.map(({ route_name }) => pathOfRoute(route_name)).find((found) => found !== undefined)
  const origin = site.environments[0]?.origin
  return { site, page_url: origin === undefined ? null : `${origin}${path ?? '/'}` }
}

/** The data of the builder and the preview; browsers get pages at the same URLs. */
export function addBuilderRoutes(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    `${toursPath}/:tour/builder`,
    {
      config: { access: may.edit },
      constraints: { wants: 'data' },
      schema: {
        operationId: 'readTourBuilder',
        summary: 'Get tour builder data',
        description:
          'The tour with its warnings and limits. The response is a page unless the request prefers JSON.',
        params: tourParams,
        response: {
          200: successResponse(
            {
              tour: Tour,
              site: Site,
              page_url: PageUrl,
              warnings: Warnings,
              locations: Type.Array(Type.String(), { description: 'Possible positions of a step.' }),
              launches: Type.Array(Type.String(), { description: 'Possible ways to start a tour.' }),
              limits: Type.Object({
                steps: Type.Integer(),
                routes: Type.Integer(),
                label: Type.Integer(),
                body: Type.Integer(),
                selector: Type.Integer(),
                candidates: Type.Integer(),
              }),
            },
            'The tour and its limits.',
          ),
        },
      },
    },
    async ({ params }, reply) => {
      const tour = await readTour(database, params.tour)
      const { steps, routes: maxRoutes, label, body, selector, candidates } = bounds
      return reply.headers(dataHeaders).send({
        success: true,
        tour,
        ...(await describeSite(database, tour)),
        warnings: findWarnings(tour),
        locations: [...locations],
        launches: [...launches],
        limits: { steps, routes: maxRoutes, label, body, selector, candidates },
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
        summary: 'Preview a tour',
        description: 'The tour as visitors see it. The response is a page unless the request prefers JSON.',
        params: tourParams,
        response: {
          200: successResponse(
            { tour: Tour, site: Site, page_url: PageUrl, warnings: Warnings },
            'The tour, published or not.',
          ),
        },
      },
    },
    async ({ params }, reply) => {
      const tour = await readTour(database, params.tour)
      const site = await describeSite(database, tour)
      return reply.headers(dataHeaders).send({ success: true, tour, ...site, warnings: findWarnings(tour) })
    },
  )
}
