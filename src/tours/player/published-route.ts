import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, perCaller } from '#kernel/http'
import type { ToursOptions } from '../route-options.ts'
import { succeeded } from '../routes/requests.ts'
import { openToAnySite } from './any-site.ts'
import { hasTag } from './has-tag.ts'
import {
  type PublishedTour,
  PublishedTour as PublishedTourSchema,
  publishedAt,
  publishedById,
} from './published-tours.ts'

/** How long a page may go without noticing a change. */
const cacheSeconds = 10

/** Whole offices share an address, and each of their pages asks once: the interface's own limit is for people who make tours. */
const pageRate = { limit: 600, windowSeconds: 60 }
const ratePolicy = perCaller({ name: 'tours-of-pages', signedIn: pageRate, anonymous: pageRate })

/** The tours that a page should show. */
export function addPublishedRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    '/tours/published',
    {
      config: { access: { open: 'published tours are for everybody' }, ratePolicy },
      onRequest: openToAnySite,
      schema: {
        operationId: 'listPublishedTours',
        summary: 'The published tours of a page',
        description:
          'For the player: the tours whose routes match the page’s path or the route name it declares, or one tour by its id. Pages of any site may ask. The welcome tour of the console is answered to the console alone.',
        querystring: Type.Object({
          path: Type.Optional(
            Type.String({ maxLength: 2_000, description: 'The path of the page, such as `/users/7`.' }),
          ),
          route: Type.Optional(
            Type.String({ maxLength: 255, description: 'The route name the page declares, if it does.' }),
          ),
          tour: Type.Optional(
            Type.String({ maxLength: 64, description: 'One tour, whatever page it belongs to.' }),
          ),
          site: Type.Optional(
            Type.Literal('console', {
              description:
                'Asked by the console: the welcome tour alone, and nothing for pages of another origin.',
            }),
          ),
        }),
        response: {
          200: succeeded({ tours: Type.Array(PublishedTourSchema) }, 'The tours.'),
          304: Type.Unsafe<undefined>({ type: 'null', description: 'They are the same as before.' }),
        },
      },
    },
    async (request, reply) => {
      const { query, headers } = request
      const tours = query.site === 'console' && !isOwnPage(request) ? [] : await chooseTours(query)
      const tag = tagOf(tours)
      reply.headers({ 'cache-control': `public, max-age=${cacheSeconds}`, etag: tag, vary: 'Origin' })
      if (hasTag(headers['if-none-match'], tag)) return reply.code(304).send(undefined)
      return reply.send({ success: true, tours: [...tours] })
    },
  )

  async function chooseTours(query: {
    path?: string
    route?: string
    tour?: string
    site?: 'console'
  }): Promise<readonly PublishedTour[]> {
    const { site = 'customer' } = query
    if (query.tour !== undefined) return await publishedById(database, site, query.tour)
    const { path, route } = query
    if (path === undefined && route === undefined)
      throw kernelFailure('invalid_input', { message: 'Say which page: with path, route or tour.' })
    return await publishedAt(database, site, { path: path ?? '', route: route ?? null })
  }
}

/** Browsers name the origin of a page that asks another origin, and none when a page asks its own. */
function isOwnPage({ headers: { origin }, protocol, host }: FastifyRequest): boolean {
  return origin === undefined || origin === `${protocol}://${host}`
}

function tagOf(tours: readonly PublishedTour[]): string {
  const content = tours.map(({ id, revision }) => `${id} ${revision}`).join('\n')
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}
