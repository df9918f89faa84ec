import { ArchiveMistake } from './archives/archive.ts'
import { collectFiles } from './archives/collect-files.ts'
import { readArchive } from './archives/read-archive.ts'
import { checkRecipe } from './check/check-recipe.ts'
import type { Finding } from './check/findings.ts'
import { findLosses } from './reading/find-losses.ts'
import { readTours } from './reading/read-tours.ts'
import { readContent } from './reading/recipe-content.ts'
import type { RecipeFile, RecipeTour } from './recipe-tour.ts'

/** The findings and the tours of a recipe. */
export interface OpenedRecipe {
  readonly findings: readonly Finding[]
  readonly tours: readonly RecipeTour[]
  /** What an import drops or uses differently. */
  readonly losses: readonly Finding[]
}

/** Opens a recipe as a zip, a tar.gz or a JSON document, or the YAML of one tour. Throws an ArchiveMistake for other or unsafe files. */
export function openRecipe(bytes: Uint8Array): OpenedRecipe {
  const archive = readArchive(bytes)
  if (archive.kind === 'recipe') return examineFiles(archive.files)
  throw new ArchiveMistake('The JSON is not a recipe: its "format" must be "tutti.recipe".')
}

/** Opens the files of a recipe's folder. Throws an ArchiveMistake for unsafe names and sizes. */
export function openRecipeFolder(files: readonly RecipeFile[]): OpenedRecipe {
  return examineFiles(
    collectFiles(files.map(({ path, content }) => ({ name: path, kind: 'file', content }))).files,
  )
}

export function examineFiles(files: readonly RecipeFile[]): OpenedRecipe {
  const content = readContent(files)
  const tours = readTours(content)
  return { findings: checkRecipe(content), tours, losses: findLosses(content, tours) }
}
