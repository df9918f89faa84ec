import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { runStatement } from '#kernel/work'
import type { Actor } from '../actor.ts'
import { sharedBeginning, uniqueName } from '../content/machine-name.ts'
import { wrongHere } from '../errors.ts'
import type { Tour, TourContent } from '../tour.ts'
import { requireRecipe } from './require-recipe.ts'
import { tourEvent } from './tour-events.ts'
import { type TourRow, toTour, tourColumns } from './tour-row.ts'

/** Names that stand for something else where tours have their addresses. */
const reservedIds = new Set(['templates'])

export interface NewTour {
  readonly content: TourContent
  /** `exact` is taken as it is or refused; `like` gets a number when it is taken. */
  readonly id: { readonly exact: string } | { readonly like: string }
  readonly by: Actor
  /** How it came to be, for the log. */
  readonly method: string
}

interface Stores {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
}

/** Adds a tour: a draft. */
export async function insertTour({ database, events }: Stores, tour: NewTour): Promise<Tour> {
  const { content, id, by, method } = tour
  if ('exact' in id && reservedIds.has(id.exact)) throw takenId(id.exact)
  return await database.transaction(async (transaction) => {
    // Whoever makes one of the same name at the same time waits here, and then sees this one.
    await runStatement(transaction, `select pg_advisory_xact_lock(hashtext('tours'), 1)`, [])
    await requireRecipe(transaction, content.recipe_id)
    const chosen = 'exact' in id ? id.exact : await freeId(transaction, id.like)
    const [row] = await runStatement<TourRow>(
      transaction,
      `
        insert into tours
          (id, label, recipe_id, routes, tips, launch, created_by, updated_by, updated_by_name)
        values ($1, $2, $3, $4, $5, $6, $7, $7, $8)
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
        by.accountId,
        by.username,
      ],
    )
    if (row === undefined) throw takenId(chosen)
    const made = toTour(row)
    await events.appendWithin(transaction, tourEvent('tours.created', made, by, { method }))
    return made
  })
}

async function freeId(transaction: Parameters<typeof runStatement>[0], name: string): Promise<string> {
  const rows = await runStatement<{ id: string }>(
    transaction,
    'select id from tours where starts_with(id, $1)',
    [sharedBeginning(name)],
  )
  const taken = new Set(rows.map(({ id }) => id))
  return uniqueName(name, (candidate) => taken.has(candidate) || reservedIds.has(candidate))
}

function takenId(id: string) {
  const message = reservedIds.has(id)
    ? `must not be ${id}, which stands for something else`
    : 'is taken already'
  return wrongHere({ path: 'id', message, code: 'duplicate' })
}
