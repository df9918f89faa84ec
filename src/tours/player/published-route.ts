import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, perCaller } from '#kernel/http'
import type { ToursOptions } from '../route-options.ts'
import { successResponse } from '../routes/schemas.ts'
import {
  type PublishedTour,
  PublishedTour as PublishedTourSchema,
  publishedAt,
  publishedById,
} from './published-tours.ts'

/** How long a page may show an outdated tour. */
const cacheSeconds = 10

/** Higher than the limit of the API, which is for editors: whole offices share an IP address, and each page sends a request. */
const pageRate = { limit: 600, windowSeconds: 60 }
const ratePolicy = perCaller({ name: 'tours-of-pages', signedIn: pageRate, anonymous: pageRate })

export function addPublishedRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    '/tours/published',
    {
      config: { access: { open: 'published tours are public' }, ratePolicy },
      onRequest: allowAnyOrigin,
      schema: {
        operationId: 'listPublishedTours',
        summary: 'List published tours of a page',
        description:
          'For the player: the tours whose routes match the path of the page or its declared route name, or one tour by its id. Pages of any site may request it. Only the console gets the welcome tour of the console.',
        querystring: Type.Object({
          path: Type.Optional(
            Type.String({ maxLength: 2_000, description: 'Path of the page, such as `/users/7`.' }),
          ),
          route: Type.Optional(
            Type.String({ maxLength: 255, description: 'Route name that the page declares, if any.' }),
          ),
          tour: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a tour, on any page.' })),
          site: Type.Optional(
            Type.Literal('console', {
              description:
                'Sent by the console: only the welcome tour, and nothing for pages of another origin.',
            }),
          ),
        }),
        response: {
          200: successResponse({ tours: Type.Array(PublishedTourSchema) }, 'The tours.'),
          304: Type.Unsafe<undefined>({ type: 'null', description: 'Not modified.' }),
        },
      },
    },
    async (request, reply) => {
      const { query, headers } = request
      const tours = query.site === 'console' && !isOwnPage(request) ? [] : await chooseTours(query)
      const tag = etagOf(tours)
      reply.headers({ 'cache-control': `public, max-age=${cacheSeconds}`, etag: tag, vary: 'Origin' })
      if (matchesETag(headers['if-none-match'], tag)) return reply.code(304).send(undefined)
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
      throw kernelFailure('invalid_input', { message: 'Send path, route or tour to select the tours.' })
    return await publishedAt(database, site, { path: path ?? '', route: route ?? null })
  }
}

/** Browsers send `Origin` with cross-origin requests and omit it for the page's own origin. */
function isOwnPage({ headers: { origin }, protocol, host }: FastifyRequest): boolean {
  return origin === undefined || origin === `${protocol}://${host}`
}

function etagOf(tours: readonly PublishedTour[]): string {
  const content = tours.map(({ id, revision }) => `${id} ${revision}`).join('\n')
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Whether the `If-None-Match` header contains the ETag. */
export function matchesETag(header: string | undefined, tag: string): boolean {
  const tags = new Set((header ?? '').split(',').map((part) => part.trim()))
  return tags.has(tag) || tags.has('*')
}

const headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** Allows pages of every site to read the response, errors included. Browsers send such requests without cookies. */
export async function allowAnyOrigin(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(headers)
}
