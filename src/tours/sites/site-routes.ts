import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { actorOf } from '../actor.ts'
import { addSiteAnalyticsRoute } from '../analytics/site-analytics-route.ts'
import { machineName } from '../content/machine-name.ts'
import type { ToursOptions } from '../route-options.ts'
import { successResponse } from '../routes/schemas.ts'
import { may } from '../routes/shared.ts'
import { bounds, idMeans, idPattern } from '../tour.ts'
import { PlayerSettings } from './player-settings.ts'
import { readSite } from './read-site.ts'
import { Site, siteBounds } from './site.ts'
import { changeSite, deleteSite, insertSite, listSites, readSiteById } from './site-store.ts'

const path = '/tours/sites'
const closed = { additionalProperties: false }

const siteParams = Type.Object({
  site: Type.String({ maxLength: 255, description: 'The machine name of the site.' }),
})

const Label = Type.String({ maxLength: 2000, description: 'Name of the site.' })
const Environments = Type.Array(
  Type.Object(
    {
      name: Type.String({
        maxLength: bounds.label,
        description: 'Such as `production`; unique within the site.',
      }),
      origin: Type.String({ maxLength: siteBounds.origin, description: 'Such as `https://shop.example`.' }),
    },
    closed,
  ),
  {
    maxItems: siteBounds.environments,
    description: 'The addresses of the site, the one to preview first. None: the tours play on every origin.',
  },
)

const NewSite = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: idPattern,
        'x-means': idMeans,
        description: 'Default: derived from the label.',
      }),
    ),
    label: Label,
    environments: Type.Optional(Environments),
    player: Type.Optional(PlayerSettings),
  },
  { ...closed, description: 'A new site.' },
)

const ChangedSite = Type.Object(
  {
    label: Type.Optional(Label),
    environments: Type.Optional(Environments),
    player: Type.Optional(PlayerSettings),
  },
  { ...closed, minProperties: 1, description: 'The fields to change. Absent fields stay unchanged.' },
)

const noStore = ['cache-control', 'no-store'] as const

/** The sites that tours belong to. */
export function addSiteRoutes(routes: HttpServer, options: Pick<ToursOptions, 'database' | 'events'>): void {
  const { database } = options

  routes.get(
    path,
    {
      config: { access: may.read },
      schema: {
        operationId: 'listTourSites',
        summary: 'List sites',
        description: 'All sites, oldest first: the default site, the console, and those that were added.',
        response: { 200: successResponse({ sites: Type.Array(Site), total: Type.Integer() }, 'All sites.') },
      },
    },
    async (_request, reply) => {
      const sites = await listSites(database)
      return reply.header(...noStore).send({ success: true, sites, total: sites.length })
    },
  )

  routes.post(
    path,
    {
      config: { access: may.administer, idempotent: true },
      schema: {
        operationId: 'createTourSite',
        summary: 'Create a site',
        description:
          'Its machine name is derived from the label, with a number when the name exists; an `id` that exists is refused (422 `duplicate`).',
        body: NewSite,
        response: {
          201: {
            ...successResponse({ site: Site }, 'The new site.'),
            headers: { Location: Type.String({ description: 'Path of the site.' }) },
          },
        },
      },
    },
    async (request, reply) => {
      const { label = '', environments = [], player = {} } = readSite(request.body)
      const { id } = request.body
      const site = await insertSite(options, {
        id: id === undefined ? { preferred: machineName(label, 'site') } : { exact: id },
        label,
        environments,
        player,
        by: actorOf(request),
      })
      return reply
        .code(201)
        .header(...noStore)
        .header('location', `${path}/${site.id}`)
        .send({ success: true, site })
    },
  )

  routes.get(
    `${path}/:site`,
    {
      config: { access: may.read },
      schema: {
        operationId: 'readTourSite',
        summary: 'Get a site',
        description: 'A site with its environments.',
        params: siteParams,
        response: { 200: successResponse({ site: Site }, 'The site.') },
      },
    },
    async ({ params }, reply) =>
      reply.header(...noStore).send({ success: true, site: await readSiteById(database, params.site) }),
  )

  routes.put(
    `${path}/:site`,
    {
      config: { access: may.administer },
      schema: {
        operationId: 'changeTourSite',
        summary: 'Update a site',
        description: 'Absent fields stay unchanged. The console cannot be changed (422).',
        params: siteParams,
        body: ChangedSite,
        response: { 200: successResponse({ site: Site }, 'The updated site.') },
      },
    },
    async (request, reply) => {
      const changes = readSite(request.body)
      const site = await changeSite(options, request.params.site, { ...changes, by: actorOf(request) })
      return reply.header(...noStore).send({ success: true, site })
    },
  )

  routes.delete(
    `${path}/:site`,
    {
      config: { access: may.administer },
      schema: {
        operationId: 'deleteTourSite',
        summary: 'Delete a site',
        description: 'A site with tours, the default site and the console cannot be deleted (422).',
        params: siteParams,
        response: { 200: successResponse({ message: Type.String() }, 'The site was deleted.') },
      },
    },
    async (request, reply) => {
      const { label } = await deleteSite(options, request.params.site, actorOf(request))
      return reply.header(...noStore).send({ success: true, message: `The site “${label}” was deleted.` })
    },
  )

  addSiteAnalyticsRoute(routes, options)
}
