import type { Database } from '#kernel/database'
import { welcomeTour, welcomeTourId } from './welcome-tour.ts'

/**
 * Publishes the welcome tour once: a deleted one is not added again, and a tour with the same id is kept. An unedited
 * welcome tour is updated with each release.
 */
export async function seedWelcomeTour(database: Pick<Database, 'query'>): Promise<void> {
  const { label, routes, tips, launch } = welcomeTour
  const values = [welcomeTourId, label, JSON.stringify(routes), JSON.stringify(tips), launch]
  await database.query(
    `
      with fresh as (
        insert into tour_seeds (name) values ($1)
        on conflict (name) do nothing
        returning name
      )
      insert into tours (id, label, status, routes, tips, launch)
      select name, $2, true, $3, $4, $5 from fresh
      on conflict (id) do nothing
    `,
    values,
  )
  await database.query(
    `
      update tours
      set label = $2, routes = $3, tips = $4, launch = $5
      where id = $1 and revision = 1 and created_by is null
        and (label, routes, tips, launch) is distinct from ($2, $3::jsonb, $4::jsonb, $5)
    `,
    values,
  )
}
