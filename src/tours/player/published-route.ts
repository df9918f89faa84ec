import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, perCaller } from '#kernel/http'
import type { ToursOptions } from '../route-options.ts'
import { successResponse } from '../routes/schemas.ts'
import { allowsPage } from '../sites/allows-page.ts'
import { Theme } from '../sites/player-settings.ts'
import type { Site } from '../sites/site.ts'
import { defaultSite } from '../sites/site.ts'
import { findVisitedSite, noSuchSite } from '../sites/site-store.ts'
import { bounds } from '../tour.ts'
import { bundledTexts } from './bundled-texts.ts'
import { chooseLanguage } from './choose-language.ts'
import {
  type PublishedTour,
  PublishedTour as PublishedTourSchema,
  publishedAt,
  publishedById,
  type Visit,
} from './published-tours.ts'

/** How long a page may show an outdated tour. */
const cacheSeconds = 10

/** Higher than the limit of the API, which is for editors: whole offices share an IP address, and each page sends a request. */
export const pageRate = { limit: 600, windowSeconds: 60 }
const ratePolicy = perCaller({ name: 'tours-of-pages', signedIn: pageRate, anonymous: pageRate })

export function addPublishedRoute(
  routes: HttpServer,
  { database, publicUrl }: Pick<ToursOptions, 'database' | 'publicUrl'>,
): void {
  routes.get(
    '/tours/published',
    {
      config: { access: { open: 'published tours are public' }, ratePolicy },
      onRequest: allowAnyOrigin,
      schema: {
        operationId: 'listPublishedTours',
        summary: 'List published tours of a page',
        description:
          'For the player: the tours whose routes match the path of the page or its declared route name, or one tour by its id. Only tours of the `site` are returned, and none for pages of an origin that the site does not allow.',
        querystring: Type.Object({
          path: Type.Optional(
            Type.String({ maxLength: 2_000, description: 'Path of the page, such as `/users/7`.' }),
          ),
          route: Type.Optional(
            Type.String({ maxLength: 255, description: 'Route name that the page declares, if any.' }),
          ),
          tour: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a tour, on any page.' })),
          site: Type.Optional(
            Type.String({
              maxLength: bounds.id,
              description: 'The site that the tag of the player names. Default: `default`.',
            }),
          ),
          language: Type.Optional(
            Type.String({
              maxLength: 64,
              description:
                'Language of the page, such as `de-AT`: the tours are in it when they have a translation, and so are the texts of the player. Default: `en`.',
            }),
          ),
        }),
        response: {
          200: successResponse(
            { tours: Type.Array(PublishedTourSchema), player: PlayerOfPage },
            'The tours, and how the player shows them.',
          ),
          304: Type.Unsafe<undefined>({ type: 'null', description: 'Not modified.' }),
        },
      },
    },
    async (request, reply) => {
      const { query, headers } = request
      const { site = defaultSite, language = 'en' } = query
      const visited = await findVisitedSite(database, site)
      if (visited === undefined) throw noSuchSite(site)
      const isAllowed = allowsPage(site, visited.environments, request, publicUrl)
      const player = playerOf(visited, language)
      const visit = { site, language, mediaOrigins: player.media_origins }
      const tours = isAllowed ? await chooseTours(visit, query) : []
      const tag = etagOf(tours, player)
      reply.headers({ 'cache-control': `public, max-age=${cacheSeconds}`, etag: tag, vary: 'Origin' })
      if (matchesETag(headers['if-none-match'], tag)) return reply.code(304).send(undefined)
      return reply.send({ success: true, tours: [...tours], player })
    },
  )

  async function chooseTours(
    visit: Visit,
    query: { path?: string; route?: string; tour?: string },
  ): Promise<readonly PublishedTour[]> {
    if (query.tour !== undefined) return await publishedById(database, visit, query.tour)
    const { path, route } = query
    if (path === undefined && route === undefined)
      throw kernelFailure('invalid_input', { message: 'Send path, route or tour to select the tours.' })
    return await publishedAt(database, visit, { path: path ?? '', route: route ?? null })
  }
}

const PlayerOfPage = Type.Object(
  {
    language: Type.String({ description: 'Language of the texts.' }),
    texts: Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Texts of the player by their names; absent ones are in English.',
    }),
    theme: Theme,
    media_origins: Type.Array(Type.String(), {
      description: 'Origins besides that of the page whose images and videos are shown.',
    }),
  },
  { description: 'How the player looks and speaks on the page.' },
)

/** The texts of a page are those of the site in its language, then those that come with the player. */
function playerOf({ environments, player }: Pick<Site, 'environments' | 'player'>, wanted: string) {
  const own = player.texts ?? []
  const languages = [...own.map(({ langcode }) => langcode), ...Object.keys(bundledTexts)]
  const language = chooseLanguage(wanted, languages) ?? 'en'
  const bundled = chooseLanguage(language, Object.keys(bundledTexts)) ?? 'en'
  const given = own.find(({ langcode }) => langcode === language)?.texts
  return {
    language,
    texts: { ...(bundled === 'en' ? {} : bundledTexts[bundled]), ...given },
    theme: player.theme ?? {},
    media_origins: [
      ...new Set([...environments.map(({ origin }) => origin), ...(player.media_origins ?? [])]),
    ],
  }
}

function etagOf(tours: readonly PublishedTour[], player: ReturnType<typeof playerOf>): string {
  const content = JSON.stringify([tours.map(({ id, revision }) => [id, revision]), player])
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
