import { zipSync } from 'fflate'
import type { RecipeFile } from '../recipe-tour.ts'

/** The recipe in a folder of its name. The same files give the same bytes, wherever and whenever they are packed. */
export function writeZip(folder: string, files: readonly RecipeFile[]): Uint8Array {
  // A zip has no time zones: the library writes what a clock on the wall would show here, and this is noon everywhere.
  const mtime = new Date(2000, 0, 1, 12)
  return zipSync(Object.fromEntries(files.map(({ path, content }) => [`${folder}/${path}`, content])), {
    level: 9,
    mtime,
    os: 3,
    attrs: 0o100644 << 16,
  })
}
