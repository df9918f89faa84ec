import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { UserMistake } from '#kernel/errors'
import { type OpenedRecipe, openRecipe, openRecipeFolder, RecipeMistake, recipeBounds } from '#tours'

/** Opens a recipe: a folder, a zip, a tar.gz or a JSON document; `-` is standard input. */
export async function openRecipeAt(place: string): Promise<OpenedRecipe> {
  try {
    if (place !== '-' && (await stat(place)).isDirectory()) return openRecipeFolder(await readFolder(place))
    return openRecipe(await readBytes(place))
  } catch (error) {
    if (error instanceof RecipeMistake)
      throw new UserMistake(`${nameOf(place)}: ${error.message}`, { cause: error })
    if (error instanceof Error && 'code' in error) {
      throw new UserMistake(`${place} cannot be read (${String(error.code)}).`, { cause: error })
    }
    throw error
  }
}

export function nameOf(place: string): string {
  return place === '-' ? 'Standard input' : place
}

async function readBytes(place: string): Promise<Uint8Array> {
  // A file that is too large is not read only to be refused.
  if (place !== '-' && (await stat(place)).size > recipeBounds.packedBytes) {
    throw new RecipeMistake('The file is larger than 4 MB.')
  }
  return place === '-' ? await buffer(process.stdin) : await readFile(place)
}

async function readFolder(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter(({ parentPath, name }) => !isHidden(relative(folder, join(parentPath, name))))
  if (files.length > recipeBounds.entries) {
    throw new RecipeMistake(`The folder has more than ${recipeBounds.entries} files, so it is no recipe.`)
  }
  const link = files.find((entry) => entry.isSymbolicLink())
  if (link !== undefined)
    throw new RecipeMistake(`${link.name} is a link; a recipe has files and folders only.`)
  return await Promise.all(
    files
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        if ((await stat(path)).size > recipeBounds.fileBytes)
          throw new RecipeMistake(`${name} is larger than 6 MB.`)
        return { path: relative(folder, path).split(sep).join('/'), content: await readFile(path) }
      }),
  )
}

/** Where a recipe is kept under version control, the folder has more than the recipe. */
function isHidden(path: string): boolean {
  return path.split(sep).some((part) => part.startsWith('.'))
}
