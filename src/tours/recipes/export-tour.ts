import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { type Executor, runStatement } from '#kernel/work'
import type { Actor } from '../actor.ts'
import { machineName } from '../content/machine-name.ts'
import { noSuchTour, unprocessable } from '../errors.ts'
import { type TourRow, toTour, tourColumns } from '../store/read-tours.ts'
import { tourEvent } from '../store/tour-events.ts'
import type { Tour } from '../tour.ts'
import { archiveBounds } from './archives/archive.ts'
import { buildRecipe } from './build/build-recipe.ts'
import { checkRecipe } from './check/check-recipe.ts'
import { findChanges } from './check/find-changes.ts'
import { type Finding, sortFindings } from './check/findings.ts'
import { mediaTypes, packRecipe, type RecipeFormat } from './pack-recipe.ts'
import { readContent } from './reading/recipe-content.ts'
import { completeRecipeTour, type RecipeFile, type RecipeName, toRecipeTour } from './recipe-tour.ts'
import { type Download, storeDownload } from './store/downloads.ts'
import { insertRecipe, type StoredRecipe, updateRecipe } from './store/recipe-store.ts'

/**
 * | action            | stored recipe                                       | exported tours               |
 * |-------------------|-----------------------------------------------------|------------------------------|
 * | `export_only`     | none                                                | this tour                    |
 * | `create_new`      | a new one, which the tour is linked to              | this tour                    |
 * | `update_existing` | the linked one is updated with the current tour     | all tours of the recipe      |
 */
export const exportActions = ['update_existing', 'create_new', 'export_only'] as const
type ExportAction = (typeof exportActions)[number]

export interface ExportOptions {
  readonly action: ExportAction
  readonly format: RecipeFormat
  readonly name: string | undefined
  readonly description: string | undefined
  /** Whether the file is stored for a later download; otherwise it is sent in the response. */
  readonly store: boolean
  readonly by: Actor
}

export interface Exported extends Download {
  readonly name: RecipeName
  readonly recipeId: string | null
  readonly files: readonly RecipeFile[]
  readonly stored: { readonly token: string; readonly expiresAt: Date } | undefined
}

interface Stores {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
}

/** Exports a tour as a recipe in one transaction. Throws 404 or 422 failures. */
export async function exportTour(
  { database, events }: Stores,
  id: string,
  options: ExportOptions,
): Promise<Exported> {
  return await database.transaction(async (transaction) => {
    const tour = await lockTour(transaction, id)
    const recipe = await storeRecipe(transaction, tour, options)
    const name = recipe === undefined ? nameOf(tour, options) : toName(recipe)
    const tours =
      recipe === undefined ? [toRecipeTour(tour)] : Object.values(recipe.tours).map(completeRecipeTour)
    const files = buildRecipe(name, tours)
    const content = packRecipe(name, files, options.format)
    if (content.length > archiveBounds.packedBytes) {
      throw unprocessable({
        path: 'recipe_id',
        message: 'has more tours than fit into one recipe',
        code: 'too_large',
      })
    }
    const download = {
      filename: `${name.machineName}.${options.format}`,
      mediaType: mediaTypes[options.format],
      content,
    }
    const stored = options.store
      ? await storeDownload(transaction, options.by.accountId, download)
      : undefined
    const recipeId = recipe?.id ?? null
    const more = { action: options.action, format: options.format, recipe_id: recipeId }
    await events.appendWithin(transaction, tourEvent('tours.exported', tour, options.by, more))
    return { ...download, name, recipeId, files, stored }
  })
}

/** The name, the files and the findings of an export with the default options. */
export function previewRecipe(tour: Tour): {
  readonly name: RecipeName
  readonly files: readonly RecipeFile[]
  readonly findings: readonly Finding[]
} {
  const name = nameOf(tour, { name: undefined, description: undefined })
  const files = buildRecipe(name, [toRecipeTour(tour)])
  const changes = findChanges(name, [toRecipeTour(tour)])
  return { name, files, findings: sortFindings([...changes, ...checkRecipe(readContent(files))]) }
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
  options: ExportOptions,
): Promise<StoredRecipe | undefined> {
  const content = toRecipeTour(tour)
  if (options.action === 'export_only') return undefined
  if (options.action === 'update_existing') {
    const { name, description, by } = options
    const updated =
      tour.recipe_id === null
        ? undefined
        : await updateRecipe(executor, tour.recipe_id, { name, description, tour: content, by })
    if (updated !== undefined) return updated
    const message = 'cannot be update_existing: the tour is not linked to a recipe; use create_new'
    throw unprocessable({ path: 'action', message, code: 'not_linked' })
  }
  const { machineName: preferredId, name, description } = nameOf(tour, options)
  const created = await insertRecipe(executor, preferredId, {
    name,
    description,
    tour: content,
    by: options.by,
  })
  // The content of the tour does not change, so its revision stays.
  await runStatement(executor, 'update tours set recipe_id = $2 where id = $1', [tour.id, created.id])
  return created
}

function nameOf(
  tour: Tour,
  { name = tour.label, description }: Pick<ExportOptions, 'name' | 'description'>,
): RecipeName {
  return {
    name,
    machineName: machineName(name, machineName(tour.id, 'tour')),
    description: description ?? `Guided tour: ${tour.label}`,
  }
}

function toName({ id, name, description }: StoredRecipe): RecipeName {
  return { name, description, machineName: id }
}
