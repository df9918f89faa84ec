import { type Static, Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { toursPath } from '../api.ts'
import { checkLabel } from '../content/check-label.ts'
import { noProblems, type Problems, throwProblems } from '../content/problems.ts'
import { readRoutes } from '../content/read-routes.ts'
import { readTips } from '../content/read-tips.ts'
import { keepTranslations, readTranslations } from '../content/read-translations.ts'
import { draftTour } from '../creation/draft-tour.ts'
import { unprocessable } from '../errors.ts'
import { FindingSchema } from '../recipes/routes/schemas.ts'
import type { ToursOptions } from '../route-options.ts'
import { changeTour, deleteTour, type TourPatch } from '../store/change-tour.ts'
import { insertTour } from '../store/insert-tour.ts'
import { listTours, readTour } from '../store/read-tours.ts'
import { readTargeting } from '../targeting/read-targeting.ts'
import { Tour } from '../tour.ts'
import { ChangedTourBody, NewTourBody, revisionQuery, successResponse, tourParams } from './schemas.ts'
import { dataHeaders, expectedRevision, may, tagOf } from './shared.ts'

type ChangedTour = Static<typeof ChangedTourBody>

/** Read, change and delete a tour. */
export function addTourRoutes(routes: HttpServer, options: Pick<ToursOptions, 'database' | 'events'>): void {
  const path = `${toursPath}/:tour`

  routes.get(
    path,
    {
      config: { access: may.read },
      schema: {
        operationId: 'readTour',
        summary: 'Get a tour',
        description: 'A tour with its steps.',
        params: tourParams,
        response: { 200: successResponse({ tour: Tour }, 'The tour.') },
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
        summary: 'Update a tour',
        description:
          'Absent fields stay unchanged; `{"status": true}` publishes the tour. With `revision` (or `If-Match`) the change is refused when another request changed the tour in the meantime: 409 with the current tour.',
        params: tourParams,
        body: ChangedTourBody,
        response: { 200: successResponse({ tour: Tour }, 'The updated tour.') },
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
        description: 'Also deletes the analytics of the tour. Its linked recipe stays.',
        params: tourParams,
        querystring: revisionQuery,
        response: { 200: successResponse({ message: Type.String() }, 'The tour was deleted.') },
      },
    },
    async (request, reply) => {
      const { params, query, headers } = request
      const revision = expectedRevision(headers['if-match'], query.revision)
      const { label } = await deleteTour(options, params.tour, { by: actorOf(request), revision })
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, message: `The tour “${label}” was deleted.` })
    },
  )
}

/** Validates the changes of a tour. Throws all problems at once. */
function patchTour(tour: Tour, given: ChangedTour): TourPatch {
  const found = noProblems()
  if (given.id !== undefined && given.id !== tour.id) {
    throw unprocessable({ path: 'id', message: `must stay ${tour.id}`, code: 'immutable' })
  }
  const routes =
    given.routes === undefined ? tour.routes : readRoutes(given.routes, 'routes', found, tour.routes)
  const tips = given.tips === undefined ? tour.tips : readTips(given.tips, { routes, path: 'tips', found })
  if (given.tips === undefined) collectLostRoutes(tips, routes, found)
  const label = readLabel(given.label, found)
  const langcode = given.langcode ?? tour.langcode
  const translations =
    given.translations === undefined && langcode === tour.langcode
      ? tour.translations
      : readTranslations(given.translations ?? keepTranslations({ ...tour, tips }), {
          tips,
          langcode,
          path: 'translations',
          found,
        })
  const targeting =
    given.targeting === undefined ? tour.targeting : readTargeting(given.targeting, 'targeting', found)
  throwProblems(found)
  return {
    routes,
    tips,
    translations,
    targeting,
    ...(label !== undefined && { label }),
    ...(given.status !== undefined && { status: given.status }),
    ...(given.recipe_id !== undefined && { recipe_id: given.recipe_id || null }),
    ...(given.launch !== undefined && { launch: given.launch }),
    ...(given.langcode !== undefined && { langcode: given.langcode }),
    ...(given.site_id !== undefined && { site_id: given.site_id }),
  }
}

function readLabel(label: string | undefined, found: Problems): string | undefined {
  if (label === undefined) return undefined
  const problem = checkLabel(label, 'label')
  if (problem !== undefined) found.invalid.push(problem)
  return label.trim()
}

/** A removed route must not be used by a step. */
function collectLostRoutes(tips: Tour['tips'], routes: Tour['routes'], found: Problems): void {
  for (const { label, route } of tips) {
    if (route === null || routes.some(({ route_name }) => route_name === route)) continue
    found.unprocessable.push({
      path: 'routes',
      message: `must keep ${route}, which the step “${label}” uses`,
      code: 'in_use',
    })
  }
}

export function addListRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    toursPath,
    {
      config: { access: may.read },
      schema: {
        operationId: 'listTours',
        summary: 'List tours',
        description: 'All tours, oldest first, filtered by status, site or a search text.',
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(
            Type.Boolean({ description: 'True: only published tours; false: only drafts.' }),
          ),
          search: Type.Optional(
            Type.String({ maxLength: 255, description: 'Only tours with this text in their label or id.' }),
          ),
          site: Type.Optional(Type.String({ maxLength: 255, description: 'Only tours of this site.' })),
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
      const { limit, status, search, site } = query
      const found = await listTours(database, { status, search, site, limit, offset: offsetOf(query) })
      return reply.headers(dataHeaders).send({ success: true, ...found })
    },
  )
}

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
            ...successResponse(
              {
                tour: Tour,
                findings: Type.Optional(
                  Type.Array(FindingSchema, {
                    description: 'For an import: what it dropped or uses differently.',
                  }),
                ),
              },
              'The new tour.',
            ),
            headers: { Location: Type.String({ description: 'Path of the tour.' }) },
          },
        },
      },
    },
    async (request, reply) => {
      const { findings, ...draft } = draftTour(request.body)
      const tour = await insertTour(options, { ...draft, by: actorOf(request) })
      return reply
        .code(201)
        .headers({
          location: `${toursPath}/${tour.id}`,
          etag: tagOf(tour.revision),
          'cache-control': 'no-store',
        })
        .send({ success: true, tour, ...(findings !== undefined && { findings: [...findings] }) })
    },
  )
}
