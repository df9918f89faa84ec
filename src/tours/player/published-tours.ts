import { type Static, Type } from 'typebox'
import type { Database } from '#kernel/database'
import { Tour } from '../tour.ts'
import { welcomeTourId } from '../welcome/welcome-tour.ts'
import { matchesRoute, type PageAddress } from './match-route.ts'

/** A tour as visitors get it, without its editors. */
export const PublishedTour = Type.Pick(Tour, ['id', 'label', 'launch', 'routes', 'tips', 'revision'], {
  description: 'A published tour, with its steps in the order they are shown.',
})
export type PublishedTour = Static<typeof PublishedTour>

/** The site of the page: the console shows the welcome tour only, customer sites show all others. */
export type Site = 'console' | 'customer'

/** The published tours of a site. A tour with the id of the welcome tour that has an author belongs to customer sites. */
const publishedOn = `
  select id, label, launch, routes, tips, revision from tours
  where status and (id = '${welcomeTourId}' and created_by is null) = ($1 = 'console')
`

/** The published tours of a page, oldest first. */
export async function publishedAt(
  database: Pick<Database, 'query'>,
  site: Site,
  page: PageAddress,
): Promise<readonly PublishedTour[]> {
  const tours = await database.query<PublishedTour>(`${publishedOn} order by created_at, id`, [site])
  return tours.filter(({ routes }) => routes.some(({ route_name }) => matchesRoute(route_name, page)))
}

/** One published tour by its id, on any page. */
export async function publishedById(
  database: Pick<Database, 'query'>,
  site: Site,
  id: string,
): Promise<readonly PublishedTour[]> {
  return await database.query<PublishedTour>(`${publishedOn} and id = $2`, [site, id])
}
