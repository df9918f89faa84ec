import { createHash } from 'node:crypto'
import type { Database } from '#kernel/database'
import { noSuchSite } from '../sites/site-store.ts'

/** How a user ended a tour. */
export const visitStates = ['completed', 'dismissed'] as const
export type VisitState = (typeof visitStates)[number]

export interface Visit {
  readonly tour: string
  readonly state: VisitState
  readonly endedAt: Date
}

/** More tours than a page offers. */
const maxListed = 500

/**
 * The id of a user as it is stored. The salt of the site makes the hashes of two sites different, so that they cannot be
 * joined, and a list of hashed ids of another system useless.
 */
async function hashUser(database: Pick<Database, 'query'>, site: string, user: string): Promise<Buffer> {
  const [row] = await database.query<{ salt: string }>(
    'select visitor_salt as salt from tour_sites where id = $1',
    [site],
  )
  if (row === undefined) throw noSuchSite(site)
  return createHash('sha256').update(`${row.salt}\n${user}`).digest()
}

/** The published tours of a site that a user has ended. Throws `site_not_found`. */
export async function listVisits(
  database: Pick<Database, 'query'>,
  site: string,
  user: string,
): Promise<readonly Visit[]> {
  const rows = await database.query<{ tour_id: string; state: VisitState; ended_at: Date }>(
    `
      select visits.tour_id, visits.state, visits.ended_at
      from tour_visits visits join tours on tours.id = visits.tour_id
      where visits.site_id = $1 and visits.user_hash = $2 and tours.status and tours.site_id = $1
      order by visits.ended_at desc
      limit ${maxListed}
    `,
    [site, await hashUser(database, site, user)],
  )
  return rows.map(({ tour_id: tour, state, ended_at: endedAt }) => ({ tour, state, endedAt }))
}

/** Stores that a user has ended a published tour of the site; false: there is no such tour. Throws `site_not_found`. */
export async function storeVisit(
  database: Pick<Database, 'query'>,
  { site, user, tour, state }: { site: string; user: string; tour: string; state: VisitState },
): Promise<boolean> {
  const rows = await database.query(
    `
      insert into tour_visits (site_id, user_hash, tour_id, state)
      select site_id, $3, id, $4 from tours where id = $2 and site_id = $1 and status
      on conflict (site_id, user_hash, tour_id) do update set state = excluded.state, ended_at = now()
      returning 1
    `,
    [site, tour, await hashUser(database, site, user), state],
  )
  return rows.length > 0
}
