import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import type { ProtectedFile } from './protected-files.ts'
import { hookParts } from './settings-parts.ts'

/** A file as it was before a command. */
export interface KeptFile extends ProtectedFile {
  /** Undefined for a file that did not exist. */
  readonly before?: FileState
}

interface FileState {
  /** The bytes as text, one character each. Undefined for the tool, which has a copy of its own. */
  readonly content?: string
  readonly mode: number
  /** Size and times: the same ones mean the same content, since a program cannot set the time of the last change of an inode. */
  readonly stamp: string
  /** The number of names: a second name lets a later edit reach the file under a path that is not protected. */
  readonly names: number
  /** The path without symbolic links. */
  readonly realPath: string
  /** The target, if the file itself is a symbolic link. */
  readonly link?: string
}

export type Change = 'changed' | 'deleted' | 'created' | 'permissions changed' | 'given another name'

const maxBytesPerFile = 256 * 1024
const maxBytes = 2 * 1024 * 1024

/** Reads the protected files. A file that is too large or cannot be read is left out: it could not be restored. */
export function takeSnapshot(files: readonly ProtectedFile[]): KeptFile[] {
  let bytes = 0
  return files.flatMap((file): KeptFile[] => {
    const before = stateOf(file)
    if (before === undefined) return exists(file.path) ? [] : [file]
    bytes += before.content?.length ?? 0
    return bytes > maxBytes ? [] : [{ ...file, before }]
  })
}

/** What a command did to a file; undefined when the file enforces what it did before. */
export function changeOf(file: KeptFile): Change | undefined {
  const { path, before, format, alsoNew } = file
  const stat = statSync(path, { throwIfNoEntry: false })
  if (before === undefined) {
    if (stat === undefined || !alsoNew) return undefined
    const after = contentOf(path)
    if (file.copy !== undefined) return after === contentOf(file.copy) ? undefined : 'created'
    return after !== undefined &&
      format !== 'whole' &&
      hookParts(format, after) === hookParts(format, undefined)
      ? undefined
      : 'created'
  }
  if (stat === undefined) {
    if (format === 'whole') return 'deleted'
    return hookParts(format, before.content) === hookParts(format, undefined) ? undefined : 'deleted'
  }
  if (!stat.isFile() || realpathSync(path) !== before.realPath || linkOf(path) !== before.link)
    return 'changed'
  if (stampOf(stat) === before.stamp) return undefined
  const after = contentOf(path)
  const [earlier, now] = [before.content ?? contentOf(file.copy ?? ''), after]
  if (now === undefined || hookParts(format, now) !== hookParts(format, earlier)) return 'changed'
  if (format === 'whole' && (stat.mode & 0o777) !== before.mode) return 'permissions changed'
  if (stat.nlink > before.names && file.copy === undefined) return 'given another name'
  return undefined
}

function stateOf({ path, copy }: ProtectedFile): FileState | undefined {
  try {
    const stat = statSync(path)
    if (!stat.isFile() || (copy === undefined && stat.size > maxBytesPerFile)) return undefined
    const content = copy === undefined ? contentOf(path) : undefined
    const link = linkOf(path)
    return {
      ...(content === undefined ? {} : { content }),
      mode: stat.mode & 0o777,
      stamp: stampOf(stat),
      names: stat.nlink,
      realPath: realpathSync(path),
      ...(link === undefined ? {} : { link }),
    }
  } catch {
    return undefined
  }
}

function stampOf({ size, mtimeMs, ctimeMs, ino, nlink }: ReturnType<typeof statSync> & object): string {
  return [size, mtimeMs, ctimeMs, ino, nlink].join(' ')
}

/** The bytes of a file, one character each; undefined when it cannot be read. */
export function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}

function linkOf(path: string): string | undefined {
  return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
