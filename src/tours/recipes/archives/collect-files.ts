import type { RecipeFile } from '../recipe-tour.ts'
import { type ArchiveEntry, ArchiveMistake, archiveBounds, quoteName } from './archive.ts'

/** The files of a recipe, with paths relative to its folder. */
export interface Unpacked {
  /** The common top folder; undefined without one. */
  readonly folder: string | undefined
  readonly files: readonly RecipeFile[]
}

/** Validates the names and sizes of the entries and returns the files. Throws an ArchiveMistake. */
export function collectFiles(entries: readonly ArchiveEntry[]): Unpacked {
  if (entries.length > archiveBounds.entries) {
    throw new ArchiveMistake(`The archive has more than ${archiveBounds.entries} entries.`)
  }
  const seen = new Map<string, string>()
  const files: RecipeFile[] = []
  let remainingBytes: number = archiveBounds.unpackedBytes
  for (const { name, kind, content } of entries) {
    const path = checkName(name)
    if (isSystemFile(path)) continue
    // A case-insensitive file system would keep only one of the two files.
    const duplicate = seen.get(path.toLowerCase())
    if (duplicate !== undefined && kind === 'file') {
      throw new ArchiveMistake(
        `The archive contains ${quoteName(name)} twice, or also as ${quoteName(duplicate)}.`,
      )
    }
    seen.set(path.toLowerCase(), name)
    remainingBytes -= content.length
    if (remainingBytes < 0 || content.length > archiveBounds.fileBytes) {
      throw new ArchiveMistake(`The archive exceeds the size limit at ${quoteName(name)}.`)
    }
    if (kind === 'file') files.push({ path, content })
  }
  if (files.length === 0) throw new ArchiveMistake('The archive contains no files.')
  return withoutFolder(files)
}

/** Returns the normalised relative path; throws for names that leave the folder, are too long or have unsafe characters. */
function checkName(name: string): string {
  const path = name.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')
  const parts = path.split('/')
  if (name.length > archiveBounds.nameLength || parts.length > archiveBounds.depth) {
    throw new ArchiveMistake(`The name ${quoteName(name)} is too long or nested too deeply.`)
  }
  if (/[\p{Cc}\p{Cf}\p{Cs}\\:]/u.test(name)) {
    throw new ArchiveMistake(`The name ${quoteName(name)} contains characters that are not allowed.`)
  }
  if (
    name.startsWith('/') ||
    (path !== '' && path !== '.' && parts.some((part) => ['', '.', '..'].includes(part)))
  ) {
    throw new ArchiveMistake(`The name ${quoteName(name)} leads out of the recipe's folder.`)
  }
  return path
}

/** Whether the entry is metadata that some systems add to every archive. */
function isSystemFile(path: string): boolean {
  return (
    path === '' ||
    path === '.' ||
    path.startsWith('__MACOSX/') ||
    /(?:^|\/)(?:\.DS_Store|\._[^/]*)$/.test(path)
  )
}

/** Recipes are usually packed in a folder of their name; paths are made relative to it. */
function withoutFolder(files: readonly RecipeFile[]): Unpacked {
  const folders = new Set(
    files.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')),
  )
  const [folder = ''] = folders
  if (folders.size > 1 || folder === '' || folder === 'config') return { folder: undefined, files }
  return {
    folder,
    files: files.map(({ path, content }) => ({ path: path.slice(folder.length + 1), content })),
  }
}
