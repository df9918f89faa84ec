import type { RecipeFile, RecipeName } from '../recipe-tour.ts'
import { type ArchiveEntry, ArchiveMistake } from './archive.ts'

const recipeFormat = 'tutti.recipe'

/** Writes a recipe as one JSON document. */
export function writeRecipeJson(
  { name, machineName, description }: RecipeName,
  files: readonly RecipeFile[],
): Uint8Array {
  const recipe = {
    format: recipeFormat,
    version: 1,
    name,
    machine_name: machineName,
    description,
    files: files.map(({ path, content }) => ({ path, content: new TextDecoder().decode(content) })),
  }
  return new TextEncoder().encode(`${JSON.stringify(recipe, null, 2)}\n`)
}

/** Whether a JSON value declares the format of a recipe. */
export function isRecipeJson(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === recipeFormat
}

/** Reads the files of a recipe in JSON. Throws an ArchiveMistake. */
export function readRecipeJson(value: Readonly<Record<string, unknown>>): ArchiveEntry[] {
  const { version, files } = value
  if (version !== 1)
    throw new ArchiveMistake('The recipe has a newer format version than this release supports.')
  if (!Array.isArray(files)) throw new ArchiveMistake('The recipe has no list "files".')
  return files.map((file: unknown, index) => {
    if (!isFile(file))
      throw new ArchiveMistake(`files[${index}] must have a "path" and a "content", both strings.`)
    return { name: file.path, kind: 'file', content: new TextEncoder().encode(file.content) }
  })
}

function isFile(file: unknown): file is { path: string; content: string } {
  if (typeof file !== 'object' || file === null) return false
  const { path, content } = file as { path?: unknown; content?: unknown }
  return typeof path === 'string' && typeof content === 'string'
}
