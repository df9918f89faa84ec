import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { runStatement } from '#kernel/work'
import type { Actor } from '../actor.ts'
import { sharedPrefix, uniqueName } from '../content/machine-name.ts'
import { unprocessable } from '../errors.ts'
import { requireSite } from '../sites/site-store.ts'
import type { Tour, TourContent } from '../tour.ts'
import { storeVersion } from '../versions/version-store.ts'
import { type TourRow, toTour, tourColumns } from './read-tours.ts'
import { requireRecipe } from './require-recipe.ts'
import { tourEvent } from './tour-events.ts'

/** Ids that would collide with other paths below the path of tours. */
const reservedIds = new Set(['templates'])

export interface NewTour {
  readonly content: TourContent
  /** An `exact` id that exists is refused; a `preferred` id that exists gets a number. */
  readonly id: { readonly exact: string } | { readonly preferred: string }
  readonly by: Actor
  /** The creation method, for the event. */
  readonly method: string
}

interface Stores {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
}

/** Inserts a tour as a draft. Throws 422 for an id that exists, an unknown recipe or an unknown site. */
export async function insertTour({ database, events }: Stores, tour: NewTour): Promise<Tour> {
  const { content, id, by, method } = tour
  if ('exact' in id && reservedIds.has(id.exact)) throw takenId(id.exact)
  return await database.transaction(async (transaction) => {
    // Serialises concurrent creations, so that two tours with the same label get different ids.
    await runStatement(transaction, `select pg_advisory_xact_lock(hashtext('tours'), 1)`, [])
    await requireRecipe(transaction, content.recipe_id)
    await requireSite(transaction, content.site_id)
    const chosen = 'exact' in id ? id.exact : await freeId(transaction, id.preferred)
    const [row] = await runStatement<TourRow>(
      transaction,
      `
        insert into tours
          (id, label, recipe_id, routes, tips, launch, langcode, site_id, translations, targeting, created_by, updated_by,
           updated_by_name)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12)
        on conflict (id) do nothing
        returning ${tourColumns}
      `,
      [
        chosen,
        content.label,
        content.recipe_id,
        JSON.stringify(content.routes),
        JSON.stringify(content.tips),
        content.launch,
        content.langcode,
        content.site_id,
        JSON.stringify(content.translations),
        JSON.stringify(content.targeting),
        by.accountId,
        by.username,
      ],
    )
    if (row === undefined) throw takenId(chosen)
    const created = toTour(row)
    await storeVersion(transaction, created, 'created')
    await events.appendWithin(transaction, tourEvent('tours.created', created, by, { method }))
    return created
  })
}

async function freeId(transaction: Parameters<typeof runStatement>[0], name: string): Promise<string> {
  const rows = await runStatement<{ id: string }>(
    transaction,
    'select id from tours where starts_with(id, $1)',
    [sharedPrefix(name)],
  )
  const taken = new Set(rows.map(({ id }) => id))
  return uniqueName(name, (candidate) => taken.has(candidate) || reservedIds.has(candidate))
}

function takenId(id: string) {
  const message = reservedIds.has(id) ? `must not be ${id}, which is reserved` : 'already exists'
  return unprocessable({ path: 'id', message, code: 'duplicate' })
}
