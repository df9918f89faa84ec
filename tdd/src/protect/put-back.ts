import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { parentOf } from '../project/paths.ts'
import { withHookParts } from './settings-parts.ts'
import { contentOf, type KeptFile } from './snapshot.ts'

/** Restores a file as it was before the command. Other parts of a settings file keep their new values. */
export function putBack(file: KeptFile): void {
  const { path, before, format, copy } = file
  if (file.derived === true) return removeFile(path)
  if (before === undefined) {
    const rest = format === 'whole' ? '' : withHookParts(format, undefined, contentOf(path))
    return rest.trim() === '' ? removeFile(path) : writeAnew(path, rest, 0o644)
  }
  const earlier = before.content ?? contentOf(copy ?? '')
  if (earlier === undefined) throw new Error(`${path}: no copy is left`)
  const target = before.link === undefined ? path : before.realPath
  if (before.link !== undefined || before.realPath === path) makeWay(path, before.link !== undefined)
  const isFile = lstat(target)?.isFile() === true
  const content = withHookParts(format, earlier, isFile ? contentOf(target) : undefined)
  writeAnew(target, content, before.mode)
  if (before.link !== undefined && lstat(path)?.isSymbolicLink() !== true) {
    removeFile(path)
    symlinkSync(before.link, path)
  }
}

/** Keeps the present version of a file before it is replaced: it may be the work of the user. */
export function keepReplaced(path: string, root: string, folder: string): void {
  if (lstat(path)?.isFile() !== true) return
  const name = path.startsWith(`${root}/`)
    ? path.slice(root.length + 1)
    : `outside/${path.replace(/^\/|:/g, '')}`
  mkdirSync(parentOf(`${folder}/${name}`), { recursive: true, mode: 0o700 })
  copyFileSync(path, `${folder}/${name}`)
}

/** Moves aside what is in the place of a folder of the path: a file, or a link to another folder. */
function makeWay(path: string, isLink: boolean): void {
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at)
    const stat = lstat(folder)
    if (stat === undefined) break
    if (!stat.isDirectory() && !(stat.isSymbolicLink() && isLink)) {
      removeFile(folder)
      break
    }
  }
  if (lstat(path)?.isFile() === false && !isLink) removeFile(path)
}

/** Writes a new file in the place of the old one, which drops other names of it. */
function writeAnew(path: string, content: string, mode: number): void {
  const folder = parentOf(path)
  mkdirSync(folder, { recursive: true })
  const draft = `${path}.${process.pid}.${process.hrtime.bigint().toString(36)}`
  const write = (): void => {
    writeFileSync(draft, content, { encoding: 'latin1', mode })
    chmodSync(draft, mode)
    renameSync(draft, path)
  }
  try {
    write()
  } catch {
    // The command may have taken the permission to write from the folder.
    const given = statSync(folder).mode & 0o777
    chmodSync(folder, given | 0o700)
    write()
  } finally {
    rmSync(draft, { force: true })
  }
}

function removeFile(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

function lstat(path: string) {
  return lstatSync(path, { throwIfNoEntry: false })
}
