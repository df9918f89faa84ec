import { wrongHere } from '../errors.ts'
import { ArchiveMistake } from './archives/archive-mistake.ts'
import { collectFiles } from './archives/collect-files.ts'
import { type ArchiveContent, readArchive } from './archives/read-archive.ts'
import { isRecipeJson, readRecipeJson } from './archives/recipe-json.ts'
import { examineFiles, type OpenedRecipe } from './open-recipe.ts'
import type { RecipeFormat } from './pack-recipe.ts'
import { readTours } from './reading/read-tours.ts'
import { readContent } from './reading/recipe-content.ts'
import type { RecipeTour } from './recipe-tour.ts'

/**
 * What somebody wants to import: a tour object, which is answered as it is for the caller to check; a recipe as JSON; or a
 * zip, a tar.gz or a JSON file in Base64. Throws what a caller of the interface is told.
 */
export function readImport(given: unknown): unknown {
  const content = open(given, 'tour')
  return content.kind === 'json' ? content.value : onlyTourOf(content)
}

/** Everything there is to know about a recipe that is given in one of these ways. */
export function examineRecipe(given: unknown): OpenedRecipe & { readonly format: RecipeFormat } {
  const archive = open(given, 'recipe')
  if (archive.kind === 'recipe') return { format: archive.format, ...examineFiles(archive.files) }
  throw wrongHere({
    path: 'recipe',
    message: 'is no recipe: it has no format "tutti.recipe"',
    code: 'invalid_recipe',
  })
}

function open(given: unknown, path: string): ArchiveContent {
  try {
    if (typeof given === 'string') return readArchive(decode(given))
    if (!isRecipeJson(given)) return { kind: 'json', value: given }
    return { kind: 'recipe', format: 'json', ...collectFiles(readRecipeJson(given)) }
  } catch (error) {
    if (!(error instanceof ArchiveMistake)) throw error
    const message = `cannot be opened: ${error.message}`.replace(/\.$/, '')
    throw wrongHere({ path, message, code: 'invalid_archive' })
  }
}

function onlyTourOf({ files }: Extract<ArchiveContent, { kind: 'recipe' }>): RecipeTour {
  const content = readContent(files)
  const tours = readTours(content)
  const [tour, ...others] = tours
  if (tour === undefined) {
    const problem = content.findings.find(({ file }) => file.startsWith('config/'))
    const message =
      problem === undefined
        ? 'has no config/tour.tour.NAME.yml'
        : `has a file that cannot be read, ${problem.file}: ${problem.message}`
    throw wrongHere({ path: 'tour', message: message.replace(/\.$/, ''), code: 'invalid_recipe' })
  }
  if (others.length === 0) return tour
  const message = `has several tours (${tours.map(({ id }) => id).join(', ')}); send one of them at a time`
  throw wrongHere({ path: 'tour', message, code: 'several_tours' })
}

/** Base64, with or without the beginning of a data: address. */
function decode(text: string): Uint8Array {
  const encoded = text.replace(/^data:[^,]{0,200};base64,/, '').replaceAll(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) throw new ArchiveMistake('It is no Base64.')
  return Buffer.from(encoded, 'base64')
}
