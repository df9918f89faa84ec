import { unprocessable } from '../errors.ts'
import { ArchiveMistake } from './archives/archive.ts'
import { collectFiles } from './archives/collect-files.ts'
import { type ArchiveContent, type ImportFormat, readArchive } from './archives/read-archive.ts'
import { isRecipeJson, readRecipeJson } from './archives/recipe-json.ts'
import type { Finding } from './check/findings.ts'
import { examineFiles, type OpenedRecipe } from './open-recipe.ts'
import { findLosses } from './reading/find-losses.ts'
import { readTours } from './reading/read-tours.ts'
import { readContent } from './reading/recipe-content.ts'

/** An imported tour, unchecked when it was given as an object, and what the import of its files drops. */
export interface Import {
  readonly tour: unknown
  /** Undefined for a tour that was given as an object. */
  readonly losses: readonly Finding[] | undefined
}

/**
 * Reads an import: a tour object; a recipe as JSON; or a zip, a tar.gz, a JSON file or the YAML of a tour in Base64. Throws a
 * 422 failure for anything else.
 */
export function readImport(given: unknown): Import {
  const content = open(given, 'tour')
  return content.kind === 'json' ? { tour: content.value, losses: undefined } : onlyTourOf(content)
}

/** Checks a recipe in one of these formats. Throws a 422 failure for anything else. */
export function examineRecipe(given: unknown): OpenedRecipe & { readonly format: ImportFormat } {
  const archive = open(given, 'recipe')
  if (archive.kind === 'recipe') return { format: archive.format, ...examineFiles(archive.files) }
  throw unprocessable({
    path: 'recipe',
    message: 'is not a recipe: its "format" must be "tutti.recipe"',
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
    throw unprocessable({ path, message, code: 'invalid_archive' })
  }
}

function onlyTourOf({ files }: Extract<ArchiveContent, { kind: 'recipe' }>): Import {
  const content = readContent(files)
  const tours = readTours(content)
  const [tour, ...others] = tours
  if (tour === undefined) {
    const problem = content.findings.find(({ file }) => /(?:^|\/)tour\.tour\./.test(file))
    const message =
      problem === undefined
        ? 'contains no config/tour.tour.NAME.yml'
        : `contains a file that cannot be read, ${problem.file}: ${problem.message}`
    throw unprocessable({ path: 'tour', message: message.replace(/\.$/, ''), code: 'invalid_recipe' })
  }
  if (others.length === 0) return { tour, losses: findLosses(content, tours) }
  const message = `contains several tours (${tours.map(({ id }) => id).join(', ')}); send one at a time`
  throw unprocessable({ path: 'tour', message, code: 'several_tours' })
}

/** Decodes Base64, with or without the prefix of a `data:` URL. */
function decode(text: string): Uint8Array {
  const encoded = text.replace(/^data:[^,]{0,200};base64,/, '').replaceAll(/\s+/g, '')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) throw new ArchiveMistake('It is not valid Base64.')
  return Buffer.from(encoded, 'base64')
}
