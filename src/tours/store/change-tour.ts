import { isDeepStrictEqual } from 'node:util'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { type Executor, runStatement } from '#kernel/work'
import type { Actor } from '../actor.ts'
import { noSuchTour, toursFailure, wrongHere } from '../errors.ts'
import type { Tour, TourContent } from '../tour.ts'
import { requireRecipe } from './require-recipe.ts'
import { type TourEventType, tourEvent } from './tour-events.ts'
import { type TourRow, toTour, tourColumns } from './tour-row.ts'

export type TourPatch = Partial<TourContent & Pick<Tour, 'status'>>

export interface Changing {
  readonly by: Actor
  /** The revision the caller knows; when it is an old one, nothing is changed. */
  readonly revision?: number | undefined
}

interface Stores {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
}

/** Changes a tour that nobody else can change meanwhile. A change that changes nothing leaves its revision as it is. */
export async function changeTour(
  { database, events }: Stores,
  id: string,
  { by, revision }: Changing,
  change: (tour: Tour) => TourPatch,
): Promise<Tour> {
  return await database.transaction(async (transaction) => {
    const before = await lockTour(transaction, id, revision)
    const wanted = { ...before, ...change(before) }
    if (wanted.status && wanted.tips.length === 0) {
      throw wrongHere({ path: 'status', message: 'cannot be true: the tour has no step yet', code: 'empty' })
    }
    if (isDeepStrictEqual(wanted, before)) return before
    if (wanted.recipe_id !== before.recipe_id) await requireRecipe(transaction, wanted.recipe_id)
    const [row] = await runStatement<TourRow>(
      transaction,
      `
        update tours
        set label = $2, status = $3, recipe_id = $4, routes = $5, tips = $6, launch = $7,
          revision = revision + 1, updated_by = $8, updated_by_name = $9, updated_at = now()
        where id = $1
        returning ${tourColumns}
      `,
      [
        id,
        wanted.label,
        wanted.status,
        wanted.recipe_id,
        JSON.stringify(wanted.routes),
        JSON.stringify(wanted.tips),
        wanted.launch,
        by.accountId,
        by.username,
      ],
    )
    if (row === undefined) throw noSuchTour(id)
    const after = toTour(row)
    await events.appendWithin(transaction, tourEvent(eventOf(before, after), after, by))
    return after
  })
}

/** Deletes a tour with all that was counted about it. */
export async function deleteTour(
  { database, events }: Stores,
  id: string,
  { by, revision }: Changing,
): Promise<Tour> {
  return await database.transaction(async (transaction) => {
    const tour = await lockTour(transaction, id, revision)
    await runStatement(transaction, 'delete from tours where id = $1', [id])
    await events.appendWithin(transaction, tourEvent('tours.deleted', tour, by))
    return tour
  })
}

async function lockTour(executor: Executor, id: string, revision: number | undefined): Promise<Tour> {
  const [row] = await runStatement<TourRow>(
    executor,
    `select ${tourColumns} from tours where id = $1 for no key update`,
    [id],
  )
  if (row === undefined) throw noSuchTour(id)
  const tour = toTour(row)
  if (revision === undefined || revision === tour.revision) return tour
  const who = tour.updated_by_name ?? 'Somebody else'
  throw toursFailure('tour_changed', {
    message: `${who} changed the tour meanwhile: it is at revision ${tour.revision}, not ${revision}.`,
    problems: [{ path: 'revision', message: `is ${tour.revision} now`, code: 'conflict' }],
    details: { tour },
  })
}

function eventOf(before: Tour, after: Tour): TourEventType {
  if (before.status === after.status) return 'tours.updated'
  return after.status ? 'tours.published' : 'tours.unpublished'
}
