import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { type Executor, runStatement } from '#kernel/work'
import type { Actor } from '../actor.ts'
import { machineName } from '../content/machine-name.ts'
import { noSuchTour, wrongHere } from '../errors.ts'
import { tourEvent } from '../store/tour-events.ts'
import { type TourRow, toTour, tourColumns } from '../store/tour-row.ts'
import type { Tour } from '../tour.ts'
import { archiveBounds } from './archives/bounds.ts'
import { buildRecipe } from './build/build-recipe.ts'
import { mediaTypes, packRecipe, type RecipeFormat } from './pack-recipe.ts'
import { type RecipeFile, type RecipeName, toRecipeTour } from './recipe-tour.ts'
import { type Download, keepDownload } from './store/downloads.ts'
import { insertRecipe, type StoredRecipe, updateRecipe } from './store/recipe-store.ts'

/**
 * | action            | the recipe entity                                   | what is packed               |
 * |-------------------|-----------------------------------------------------|------------------------------|
 * | `export_only`     | none is touched                                     | this tour                    |
 * | `create_new`      | a new one, which the tour is linked to from then on | this tour                    |
 * | `update_existing` | the linked one gets the tour as it is now           | all tours of the recipe      |
 */
export const exportActions = ['update_existing', 'create_new', 'export_only'] as const
type ExportAction = (typeof exportActions)[number]

export interface ExportWish {
  readonly action: ExportAction
  readonly format: RecipeFormat
  readonly name: string | undefined
  readonly description: string | undefined
  /** Whether the file is to wait for being fetched; else it is answered at once. */
  readonly keep: boolean
  readonly by: Actor
}

export interface Exported extends Download {
  readonly name: RecipeName
  readonly recipeId: string | null
  readonly files: readonly RecipeFile[]
  readonly kept: { readonly token: string; readonly expiresAt: Date } | undefined
}

interface Stores {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
}

/** Makes a recipe of a tour. All of it happens, or nothing. */
export async function exportTour(
  { database, events }: Stores,
  id: string,
  wish: ExportWish,
): Promise<Exported> {
  return await database.transaction(async (transaction) => {
    const tour = await lockTour(transaction, id)
    const recipe = await storeRecipe(transaction, tour, wish)
    const name = recipe === undefined ? nameOf(tour, wish) : toName(recipe)
    const tours = recipe === undefined ? [toRecipeTour(tour)] : Object.values(recipe.tours)
    const files = buildRecipe(name, tours)
    const content = packRecipe(name, files, wish.format)
    if (content.length > archiveBounds.packedBytes) {
      throw wrongHere({
        path: 'recipe_id',
        message: 'has more tours than one recipe can hold',
        code: 'too_large',
      })
    }
    const download = {
      filename: `${name.machineName}.${wish.format}`,
      mediaType: mediaTypes[wish.format],
      content,
    }
    const kept = wish.keep ? await keepDownload(transaction, wish.by.accountId, download) : undefined
    const recipeId = recipe?.id ?? null
    const more = { action: wish.action, format: wish.format, recipe_id: recipeId }
    await events.appendWithin(transaction, tourEvent('tours.exported', tour, wish.by, more))
    return { ...download, name, recipeId, files, kept }
  })
}

/** What an export would be called and hold, if it came from nowhere but the tour. */
export function previewRecipe(tour: Tour): {
  readonly name: RecipeName
  readonly files: readonly RecipeFile[]
} {
  const name = nameOf(tour, { name: undefined, description: undefined })
  return { name, files: buildRecipe(name, [toRecipeTour(tour)]) }
}

async function lockTour(executor: Executor, id: string): Promise<Tour> {
  const statement = `select ${tourColumns} from tours where id = $1 for update`
  const [row] = await runStatement<TourRow>(executor, statement, [id])
  if (row === undefined) throw noSuchTour(id)
  return toTour(row)
}

async function storeRecipe(
  executor: Executor,
  tour: Tour,
  wish: ExportWish,
): Promise<StoredRecipe | undefined> {
  const content = toRecipeTour(tour)
  if (wish.action === 'export_only') return undefined
  if (wish.action === 'update_existing') {
    const { name, description, by } = wish
    const updated =
      tour.recipe_id === null
        ? undefined
        : await updateRecipe(executor, tour.recipe_id, { name, description, tour: content, by })
    if (updated !== undefined) return updated
    const message = 'cannot be update_existing: the tour is linked to no recipe yet; create_new makes one'
    throw wrongHere({ path: 'action', message, code: 'not_linked' })
  }
  const { machineName: like, name, description } = nameOf(tour, wish)
  const made = await insertRecipe(executor, like, { name, description, tour: content, by: wish.by })
  // What an editor works on does not change by this, so the revision stays.
  await runStatement(executor, 'update tours set recipe_id = $2 where id = $1', [tour.id, made.id])
  return made
}

function nameOf(
  tour: Tour,
  { name = tour.label, description }: Pick<ExportWish, 'name' | 'description'>,
): RecipeName {
  return {
    name,
    machineName: machineName(name, machineName(tour.id, 'tour')),
    description: description ?? `Shows people around: ${tour.label}`,
  }
}

function toName({ id, name, description }: StoredRecipe): RecipeName {
  return { name, description, machineName: id }
}
