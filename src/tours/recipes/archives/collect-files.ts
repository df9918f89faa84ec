import type { RecipeFile } from '../recipe-tour.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { ArchiveMistake, shown } from './archive-mistake.ts'
import { archiveBounds } from './bounds.ts'

/** The files of a recipe below its own folder. */
export interface Unpacked {
  /** The one folder around them; undefined when they stand free. */
  readonly folder: string | undefined
  readonly files: readonly RecipeFile[]
}

/** What an archive holds, once every name in it is harmless and means one thing. */
export function collectFiles(entries: readonly ArchiveEntry[]): Unpacked {
  if (entries.length > archiveBounds.entries) {
    throw new ArchiveMistake(`The archive has more than ${archiveBounds.entries} entries.`)
  }
  const seen = new Map<string, string>()
  const files: RecipeFile[] = []
  let room: number = archiveBounds.unpackedBytes
  for (const { name, kind, content } of entries) {
    const path = checkName(name)
    if (isLeftover(path)) continue
    // A disk that does not tell upper from lower case would keep one of the two.
    const same = seen.get(path.toLowerCase())
    if (same !== undefined && kind === 'file') {
      throw new ArchiveMistake(`The archive has ${shown(name)} twice, or as ${shown(same)} too.`)
    }
    seen.set(path.toLowerCase(), name)
    room -= content.length
    if (room < 0 || content.length > archiveBounds.fileBytes) {
      throw new ArchiveMistake(`The archive unpacks to more than it may, at ${shown(name)}.`)
    }
    if (kind === 'file') files.push({ path, content })
  }
  if (files.length === 0) throw new ArchiveMistake('The archive has no files.')
  return withoutFolder(files)
}

/** A relative path that leads down and nowhere else. */
function checkName(name: string): string {
  const path = name.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')
  const parts = path.split('/')
  if (name.length > archiveBounds.nameLength || parts.length > archiveBounds.depth) {
    throw new ArchiveMistake(`The name ${shown(name)} is too long or too deep.`)
  }
  if (/[\p{Cc}\p{Cf}\p{Cs}\\:]/u.test(name)) {
    throw new ArchiveMistake(`The name ${shown(name)} has characters that no file of a recipe has.`)
  }
  if (
    name.startsWith('/') ||
    (path !== '' && path !== '.' && parts.some((part) => ['', '.', '..'].includes(part)))
  ) {
    throw new ArchiveMistake(`The name ${shown(name)} leads out of the recipe's folder.`)
  }
  return path
}

/** What some systems put into every archive. */
function isLeftover(path: string): boolean {
  return (
    path === '' ||
    path === '.' ||
    path.startsWith('__MACOSX/') ||
    /(?:^|\/)(?:\.DS_Store|\._[^/]*)$/.test(path)
  )
}

/** Recipes are packed in a folder of their name most often; what counts is where `recipe.yml` is. */
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
