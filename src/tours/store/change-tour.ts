import { isDeepStrictEqual } from 'node:util'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { type Executor, runStatement } from '#kernel/work'
import type { Actor } from '../actor.ts'
import { keepTranslations } from '../content/read-translations.ts'
import { noSuchTour, toursFailure, unprocessable } from '../errors.ts'
import { requireSite } from '../sites/site-store.ts'
import type { Tour, TourContent } from '../tour.ts'
import { storeVersion, type VersionKind } from '../versions/version-store.ts'
import { type TourRow, toTour, tourColumns } from './read-tours.ts'
import { requireRecipe } from './require-recipe.ts'
import { type TourEventType, tourEvent } from './tour-events.ts'

export type TourPatch = Partial<TourContent & Pick<Tour, 'status'>>

export interface ChangeOptions {
  readonly by: Actor
  /** The expected revision; an older one is refused with 409. */
  readonly revision?: number | undefined
  /** The version that the change restores. */
  readonly restored?: number
}

interface Stores {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
}

/** Locks and changes a tour. A change without effect keeps the revision. Throws 404, 409 or 422 failures. */
export async function changeTour(
  { database, events }: Stores,
  id: string,
  { by, revision, restored }: ChangeOptions,
  change: (tour: Tour) => TourPatch,
): Promise<Tour> {
  return await database.transaction(async (transaction) => {
    const before = await lockTour(transaction, id, revision)
    const changed = { ...before, ...change(before) }
    const next = { ...changed, translations: keepTranslations(changed) }
    if (next.status && next.tips.length === 0) {
      throw unprocessable({
        path: 'status',
        message: 'cannot be true: the tour has no step yet',
        code: 'empty',
      })
    }
    if (isDeepStrictEqual(next, before)) return before
    if (next.recipe_id !== before.recipe_id) await requireRecipe(transaction, next.recipe_id)
    if (next.site_id !== before.site_id) await requireSite(transaction, next.site_id)
    const [row] = await runStatement<TourRow>(
      transaction,
      `
        update tours
        set label = $2, status = $3, recipe_id = $4, routes = $5, tips = $6, launch = $7, langcode = $8, site_id = $9,
          translations = $10, targeting = $11, revision = revision + 1, updated_by = $12, updated_by_name = $13,
          updated_at = now()
        where id = $1
        returning ${tourColumns}
      `,
      [
        id,
        next.label,
        next.status,
        next.recipe_id,
        JSON.stringify(next.routes),
        JSON.stringify(next.tips),
        next.launch,
        next.langcode,
        next.site_id,
        JSON.stringify(next.translations),
        JSON.stringify(next.targeting),
        by.accountId,
        by.username,
      ],
    )
    if (row === undefined) throw noSuchTour(id)
    const after = toTour(row)
    // Tours from before there were versions, and the welcome tour, have none yet.
    await storeVersion(transaction, before, 'saved')
    await storeVersion(transaction, after, restored === undefined ? versionKindOf(before, after) : 'restored')
    const more = restored === undefined ? {} : { restored_version: restored }
    await events.appendWithin(transaction, tourEvent(eventOf(before, after), after, by, more))
    return after
  })
}

/** Deletes a tour with its analytics. Throws 404 or 409 failures. */
export async function deleteTour(
  { database, events }: Stores,
  id: string,
  { by, revision }: ChangeOptions,
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
  const editor = tour.updated_by_name ?? 'Another account'
  throw toursFailure('tour_changed', {
    message: `${editor} changed the tour in the meantime: it has revision ${tour.revision}, not ${revision}.`,
    problems: [{ path: 'revision', message: `is ${tour.revision} now`, code: 'conflict' }],
    details: { tour },
  })
}

function versionKindOf(before: Tour, after: Tour): VersionKind {
  if (before.status === after.status) return 'saved'
  return after.status ? 'published' : 'unpublished'
}

function eventOf(before: Tour, after: Tour): TourEventType {
  if (before.status === after.status) return 'tours.updated'
  return after.status ? 'tours.published' : 'tours.unpublished'
}
