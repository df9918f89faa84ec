import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { UserError } from '#kernel/errors'
import {
  type OpenedRecipe,
  openRecipe,
  openRecipeFolder,
  type RecipeFinding,
  RecipeMistake,
  recipeLimits,
} from '#tours'
import type { PlatformOptions } from './find-platform.ts'
import { count, oneLine } from './text.ts'
import { connectToTours } from './tours.ts'

/** Opens a recipe: a folder, a zip, a tar.gz, a JSON document or the YAML of one tour; `-` is standard input. */
async function openRecipeAt(place: string): Promise<OpenedRecipe> {
  try {
    if (place !== '-' && (await stat(place)).isDirectory()) return openRecipeFolder(await readFolder(place))
    return openRecipe(await readBytes(place))
  } catch (error) {
    if (error instanceof RecipeMistake)
      throw new UserError(`${nameOf(place)}: ${error.message}`, { cause: error })
    if (error instanceof Error && 'code' in error) {
      throw new UserError(`${place} cannot be read (${String(error.code)}).`, { cause: error })
    }
    throw error
  }
}

function nameOf(place: string): string {
  return place === '-' ? 'Standard input' : place
}

async function readBytes(place: string): Promise<Uint8Array> {
  // Checked before reading: a file that is too large need not be loaded.
  if (place !== '-' && (await stat(place)).size > recipeLimits.packedBytes) {
    throw new RecipeMistake('The file is larger than 4 MB.')
  }
  return place === '-' ? await buffer(process.stdin) : await readFile(place)
}

async function readFolder(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter(({ parentPath, name }) => !isHidden(relative(folder, join(parentPath, name))))
  if (files.length > recipeLimits.entries) {
    throw new RecipeMistake(`The folder has more than ${recipeLimits.entries} files, so it is no recipe.`)
  }
  const link = files.find((entry) => entry.isSymbolicLink())
  if (link !== undefined)
    throw new RecipeMistake(`${link.name} is a link; a recipe has files and folders only.`)
  return await Promise.all(
    files
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        if ((await stat(path)).size > recipeLimits.fileBytes)
          throw new RecipeMistake(`${name} is larger than 6 MB.`)
        return { path: relative(folder, path).split(sep).join('/'), content: await readFile(path) }
      }),
  )
}

/** A folder under version control contains more than the recipe, such as .git. */
function isHidden(path: string): boolean {
  return path.split(sep).some((part) => part.startsWith('.'))
}

interface ValidateOptions {
  readonly json?: true
  /** Warnings count as errors. */
  readonly strict?: true
}

/** `tutti tours validate`: checks a recipe as a site would and prints the findings. Returns whether it is valid. */
export async function validateRecipe(place: string, { json, strict }: ValidateOptions): Promise<boolean> {
  const { findings, tours } = await openRecipeAt(place)
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.filter(({ severity }) => severity === 'warning').length
  const isSound = errors === 0 && (strict === undefined || warnings === 0)
  if (json === true) {
    console.log(JSON.stringify({ sound: isSound, findings }, null, 2))
    return isSound
  }
  const print = isSound ? console.log : console.error
  const labels = tours
    .map(({ label, tips }) => `${oneLine(label)} (${count(tips.length, 'step')})`)
    .join(', ')
  if (errors + warnings === 0) print(`${nameOf(place)} is a sound recipe: ${labels}`)
  else print(`${nameOf(place)} has ${count(errors, 'error')} and ${count(warnings, 'warning')}:`)
  for (const finding of findings) print(describe(finding))
  return isSound
}

function describe({ severity, file, path, line, message }: RecipeFinding): string {
  const place = [file, ...(line === null ? [] : [line])].join(':')
  return `  ${severity.padEnd(7)}  ${oneLine([place, path].filter((part) => part !== '').join(' '))}\n           ${oneLine(message)}`
}

interface ImportOptions extends PlatformOptions {
  readonly id?: string
}

/** `tutti tours import`: creates the tours of a recipe, as drafts. */
export async function importRecipe(place: string, { id, ...platform }: ImportOptions): Promise<void> {
  const { findings, tours, losses } = await openRecipeAt(place)
  if (tours.length === 0) {
    const [first] = findings
    const why = first === undefined ? '' : ` ${first.file}: ${first.message}`
    throw new UserError(`${nameOf(place)} has no tour that can be read.${why}`)
  }
  if (id !== undefined && tours.length > 1) {
    throw new UserError(`${nameOf(place)} has ${tours.length} tours, so that --id cannot name them all.`)
  }
  const api = await connectToTours(platform)
  for (const tour of tours) {
    const answer = await api.post('', { creation_method: 'import', tour, ...(id !== undefined && { id }) })
    const { tour: made } = (await answer.json()) as {
      tour: { id: string; label: string; tips: readonly unknown[] }
    }
    const renamed = made.id === (id ?? tour.id) ? '' : ` (${tour.id} is taken)`
    console.log(
      `${made.id} is imported as a draft with ${made.tips.length} steps: ${oneLine(made.label)}${renamed}`,
    )
  }
  for (const loss of losses) console.log(describe(loss))
}
