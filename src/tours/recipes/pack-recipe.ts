import { writeRecipeJson } from './archives/recipe-json.ts'
import { writeTarGz } from './archives/write-tar-gz.ts'
import { writeZip } from './archives/write-zip.ts'
import type { RecipeFile, RecipeName } from './recipe-tour.ts'

export const recipeFormats = ['zip', 'tar.gz', 'json'] as const
export type RecipeFormat = (typeof recipeFormats)[number]

/** The files of a recipe as one. */
export function packRecipe(name: RecipeName, files: readonly RecipeFile[], format: RecipeFormat): Uint8Array {
  if (format === 'json') return writeRecipeJson(name, files)
  return format === 'zip' ? writeZip(name.machineName, files) : writeTarGz(name.machineName, files)
}

export const mediaTypes: Readonly<Record<RecipeFormat, string>> = {
  zip: 'application/zip',
  'tar.gz': 'application/gzip',
  json: 'application/json',
}
