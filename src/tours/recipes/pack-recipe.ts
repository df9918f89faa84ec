import { gzipSync, zipSync } from 'fflate'
import { writeRecipeJson } from './archives/recipe-json.ts'
import type { RecipeFile, RecipeName } from './recipe-tour.ts'

export const recipeFormats = ['zip', 'tar.gz', 'json'] as const
export type RecipeFormat = (typeof recipeFormats)[number]

/** Packs the files of a recipe into one file. */
export function packRecipe(name: RecipeName, files: readonly RecipeFile[], format: RecipeFormat): Uint8Array {
  if (format === 'json') return writeRecipeJson(name, files)
  return format === 'zip' ? writeZip(name.machineName, files) : writeTarGz(name.machineName, files)
}

export const mediaTypes: Readonly<Record<RecipeFormat, string>> = {
  zip: 'application/zip',
  'tar.gz': 'application/gzip',
  json: 'application/json',
}

/** Packs the files below a folder. The output is deterministic: it contains no current time and no time zone. */
export function writeZip(folder: string, files: readonly RecipeFile[]): Uint8Array {
  // Zip times have no time zone and the library writes local time; a local date is the same in every time zone.
  const mtime = new Date(2000, 0, 1, 12)
  return zipSync(Object.fromEntries(files.map(({ path, content }) => [`${folder}/${path}`, content])), {
    level: 9,
    mtime,
    os: 3,
    attrs: 0o100644 << 16,
  })
}

const blockBytes = 512
/** 2000-01-01, noon. */
const modifiedAtSeconds = 946_728_000

/** Packs the files below a folder. The output is deterministic. */
export function writeTarGz(folder: string, files: readonly RecipeFile[]): Uint8Array {
  const blocks = files.flatMap(({ path, content }) => [
    header(`${folder}/${path}`, content.length),
    padded(content),
  ])
  // Two empty blocks end the archive.
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9, mtime: 0 })
}

/** A ustar header. Names consist of ids, so they are ASCII and fit. */
function header(path: string, size: number): Buffer {
  const block = Buffer.alloc(blockBytes)
  const split = path.length <= 100 ? 0 : path.indexOf('/') + 1
  block.write(path.slice(split), 0, 100, 'ascii')
  writeOctal(block, 100, 8, 0o644)
  writeOctal(block, 108, 8, 0)
  writeOctal(block, 116, 8, 0)
  writeOctal(block, 124, 12, size)
  writeOctal(block, 136, 12, modifiedAtSeconds)
  block.write('        0', 148, 'ascii')
  block.write('ustar\u000000', 257, 'ascii')
  block.write(path.slice(0, Math.max(0, split - 1)), 345, 155, 'ascii')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'ascii')
  return block
}

function writeOctal(block: Buffer, at: number, width: number, value: number): void {
  block.write(`${value.toString(8).padStart(width - 1, '0')}\u0000`, at, 'ascii')
}

function padded(content: Uint8Array): Buffer {
  const whole = Buffer.alloc(Math.ceil(content.length / blockBytes) * blockBytes)
  whole.set(content)
  return whole
}
