import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type HttpServer, perCaller } from '#kernel/http'
import { noSuchTour, toursFailure } from '../errors.ts'
import { addCorsHeaders, sendPreflight } from '../player/cross-origin.ts'
import { pageRate } from '../player/published-route.ts'
import type { ToursOptions } from '../route-options.ts'
import { successResponse } from '../routes/schemas.ts'
import { allowsPage } from '../sites/allows-page.ts'
import { defaultSite } from '../sites/site.ts'
import { findVisitedSite, noSuchSite } from '../sites/site-store.ts'
import { bounds } from '../tour.ts'
import { listVisits, storeVisit, visitStates } from './visit-store.ts'

const maxUser = 255

const visitorFields = {
  site: Type.Optional(
    Type.String({
      maxLength: bounds.id,
      description: 'The site that the tag of the player names. Default: `default`.',
    }),
  ),
  user: Type.String({
    minLength: 1,
    maxLength: maxUser,
    description: 'Id of the user that the page gives. Only its hash is stored.',
  }),
}

const access = { open: 'visitors of any site play tours' } as const
const readsRate = perCaller({ name: 'tours-visits', signedIn: pageRate, anonymous: pageRate })

/** Which tours a user has ended, so that each is played once on all devices. */
export function addVisitRoutes(
  routes: HttpServer,
  { database, settings, publicUrl }: Pick<ToursOptions, 'database' | 'settings' | 'publicUrl'>,
): void {
  const visitorRate = () => ({ limit: settings.visitorRequestsPerMinute, windowSeconds: 60 })
  const writesRate = perCaller({ name: 'tours-visits-ended', signedIn: visitorRate, anonymous: visitorRate })

  /** Throws 404 for an unknown site, and 403 for a page of an origin that the site does not allow. */
  async function requirePage(site: string, request: FastifyRequest): Promise<void> {
    const visited = await findVisitedSite(database, site)
    if (visited === undefined) throw noSuchSite(site)
    if (!allowsPage(site, visited.environments, request, publicUrl)) throw toursFailure('origin_not_allowed')
  }

  for (const path of ['/tours/visits', '/tours/visits/ended']) {
    routes.options(
      path,
      { config: { access: { open: 'CORS preflight of browsers' }, undocumented: true, ratePolicy: false } },
      sendPreflight,
    )
  }

  routes.post(
    '/tours/visits',
    {
      config: { access, ratePolicy: readsRate },
      onSend: addCorsHeaders,
      schema: {
        operationId: 'listTourVisits',
        summary: 'List tours that a user ended',
        description:
          'For the player: the published tours of the site that this user completed or dismissed, on any device. A POST, so that the id of the user is in no log.',
        body: Type.Object(visitorFields, { additionalProperties: false }),
        response: {
          200: successResponse(
            {
              visits: Type.Array(
                Type.Object({
                  tour: Type.String({ description: 'Id of the tour.' }),
                  state: Type.Enum([...visitStates]),
                  ended_at: Type.String({ format: 'date-time' }),
                }),
              ),
            },
            'The tours, the last one first.',
          ),
        },
      },
    },
    async (request, reply) => {
      const { site = defaultSite, user } = request.body
      await requirePage(site, request)
      const visits = await listVisits(database, site, user)
      return reply.header('cache-control', 'no-store').send({
        success: true,
        visits: visits.map(({ tour, state, endedAt }) => ({ tour, state, ended_at: endedAt.toISOString() })),
      })
    },
  )

  routes.post(
    '/tours/visits/ended',
    {
      config: { access, ratePolicy: writesRate },
      onSend: addCorsHeaders,
      schema: {
        operationId: 'recordTourVisit',
        summary: 'Record that a user ended a tour',
        description:
          'For the player: the user completed or dismissed a published tour of the site. Kept for 400 days, and until the tour is deleted.',
        body: Type.Object(
          {
            ...visitorFields,
            tour: Type.String({ maxLength: bounds.id, description: 'Id of the tour.' }),
            state: Type.Enum([...visitStates]),
          },
          { additionalProperties: false },
        ),
        response: { 202: successResponse({}, 'The visit was recorded.') },
      },
    },
    async (request, reply) => {
      const { site = defaultSite, user, tour, state } = request.body
      await requirePage(site, request)
      if (!(await storeVisit(database, { site, user, tour, state }))) throw noSuchTour(tour)
      return reply.code(202).header('cache-control', 'no-store').send({ success: true })
    },
  )
}
