import type { Database } from '#kernel/database'
import { welcomeTour, welcomeTourId } from './welcome-tour.ts'

/** Publishes the welcome tour once: one that was deleted or is called the same stays as it is. */
export async function seedWelcomeTour(database: Pick<Database, 'query'>): Promise<void> {
  const { label, routes, tips, launch } = welcomeTour
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
    [welcomeTourId, label, JSON.stringify(routes), JSON.stringify(tips), launch],
  )
}
