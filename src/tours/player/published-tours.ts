import { type Static, Type } from 'typebox'
import type { Database } from '#kernel/database'
import { Tour } from '../tour.ts'
import { matchesRoute, type PageAddress } from './match-route.ts'

/** A tour as visitors get it: nothing of who made it. */
export const PublishedTour = Type.Pick(Tour, ['id', 'label', 'launch', 'routes', 'tips', 'revision'], {
  description: 'A published tour, with its steps in the order they are shown.',
})
export type PublishedTour = Static<typeof PublishedTour>

/** The published tours of a page, the oldest first. */
export async function publishedAt(
  database: Pick<Database, 'query'>,
  page: PageAddress,
): Promise<readonly PublishedTour[]> {
  const tours = await database.query<PublishedTour>(
    'select id, label, launch, routes, tips, revision from tours where status order by created_at, id',
  )
  return tours.filter(({ routes }) => routes.some(({ route_name }) => matchesRoute(route_name, page)))
}

/** One published tour, wherever it belongs. */
export async function publishedById(
  database: Pick<Database, 'query'>,
  id: string,
): Promise<readonly PublishedTour[]> {
  return await database.query<PublishedTour>(
    'select id, label, launch, routes, tips, revision from tours where status and id = $1',
    [id],
  )
}
