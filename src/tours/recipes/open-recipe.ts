import { ArchiveMistake } from './archives/archive-mistake.ts'
import { collectFiles } from './archives/collect-files.ts'
import { readArchive } from './archives/read-archive.ts'
import { checkRecipe } from './check/check-recipe.ts'
import type { Finding } from './check/findings.ts'
import { readTours } from './reading/read-tours.ts'
import { readContent } from './reading/recipe-content.ts'
import type { RecipeFile, RecipeTour } from './recipe-tour.ts'

/** A recipe, opened: what is wrong with it, and the tours in it. */
export interface OpenedRecipe {
  readonly findings: readonly Finding[]
  readonly tours: readonly RecipeTour[]
}

/** Opens a zip, a tar.gz or a JSON document. Throws an ArchiveMistake when it is none, or one that means harm. */
export function openRecipe(bytes: Uint8Array): OpenedRecipe {
  const archive = readArchive(bytes)
  if (archive.kind === 'recipe') return examineFiles(archive.files)
  throw new ArchiveMistake('The JSON is no recipe: it has no format "tutti.recipe".')
}

/** Opens the files of a recipe's folder. */
export function openRecipeFolder(files: readonly RecipeFile[]): OpenedRecipe {
  return examineFiles(
    collectFiles(files.map(({ path, content }) => ({ name: path, kind: 'file', content }))).files,
  )
}

export function examineFiles(files: readonly RecipeFile[]): OpenedRecipe {
  const content = readContent(files)
  return { findings: checkRecipe(content), tours: readTours(content) }
}
