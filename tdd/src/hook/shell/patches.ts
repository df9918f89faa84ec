import { existsSync } from 'node:fs'
import { absolutePath, parentOf } from '../../project/paths.ts'
import type { Write } from '../../protocols/protocol.ts'
import { type GitCall, splitOptions } from './program.ts'

/** The folder of a patch, and the access to its text. */
export interface PatchInput {
  /** An absolute path: the folder the command runs in. */
  readonly folder: string
  /** Reads a file, which the same command line may have written; undefined when it cannot be read. */
  readonly read: (path: string) => string | undefined
  /** The standard input of the command, if it can be determined. */
  readonly standardInput: () => string | undefined
}

/** The files that `git apply` and `git am` change. Names in the patch are relative to the top of the checkout. */
export function writesOfGitPatch({ command, args, folder }: GitCall, input: PatchInput): Write[] {
  const { options, others } = splitOptions(
    args,
    command === 'apply' ? /^(?:-p|-C|--directory|--exclude|--include)$/ : /^(?:-p|-C|--directory)$/,
  )
  if (command === 'apply') {
    const onlyShows = ['--check', '--stat', '--numstat', '--summary'].some((name) => options.has(name))
    if (onlyShows && !options.has('--apply')) return []
  } else if (['--abort', '--continue', '--skip', '--quit', '--resolved'].some((name) => options.has(name)))
    return []
  const start = absolutePath(folder, input.folder)
  const below = options.get('--directory')
  const top = below === undefined ? topOfCheckout(start) : `${topOfCheckout(start)}/${below}`
  const strip = Number(options.get('-p') ?? 1)
  const texts =
    others.length === 0
      ? [input.standardInput()]
      : others.map((name) => (name === '-' ? input.standardInput() : input.read(absolutePath(name, start))))
  return texts
    .flatMap((text) => (text === undefined ? [] : writesOfDiff(text, (name) => withoutFolders(name, strip))))
    .map((write) => ({ ...write, path: `${top}/${write.path}` }))
}

/** The files that `patch` changes. Without `-p` it uses the whole name where its folder exists, else the last part. */
export function writesOfPatchProgram(args: readonly string[], input: PatchInput): Write[] {
  const { options, others } = splitOptions(
    args,
    /^(?:-[pdiozVBDFgrY]|--(?:strip|directory|input|output|reject-file|fuzz))$/,
  )
  if (options.has('--dry-run')) return []
  const [original, patchFile = options.get('-i') ?? options.get('--input')] = others
  const folder = absolutePath(options.get('-d') ?? options.get('--directory') ?? '', input.folder)
  const chosen = options.get('-o') ?? options.get('--output') ?? original
  if (chosen !== undefined) return [{ path: absolutePath(chosen, folder), kind: 'write' }]
  const text =
    patchFile === undefined || patchFile === '-'
      ? input.standardInput()
      : input.read(absolutePath(patchFile, folder))
  if (text === undefined) return []
  const strip = options.get('-p') ?? options.get('--strip')
  const nameOf = (name: string): string | undefined => {
    if (strip !== undefined) return withoutFolders(name, Number(strip))
    return existsSync(`${folder}/${parentOf(`/${name}`)}`) ? name : name.slice(name.lastIndexOf('/') + 1)
  }
  return writesOfDiff(text, nameOf).map((write) => ({ ...write, path: absolutePath(write.path, folder) }))
}

function topOfCheckout(folder: string): string {
  for (let at = folder; at !== parentOf(at); at = parentOf(at)) if (existsSync(`${at}/.git`)) return at
  return folder
}

/** The files of a unified diff, as written by `diff`, git and mailed patches. `strip` turns a name in it into a path. */
function writesOfDiff(diff: string, strip: (name: string) => string | undefined): Write[] {
  const writes = new Map<string, Write>()
  const add = (path: string | undefined, kind: Write['kind']): void => {
    if (path !== undefined && path !== '') writes.set(path, { path, kind, text: diff })
  }
  let before: string | undefined
  for (const line of diff.split('\n')) {
    const [, header, rest = ''] =
      /^(diff --git|---|\+\+\+|rename from|rename to|copy to) (.*)$/.exec(line) ?? []
    const name = nameIn(rest)
    // The names in these headers have no `a/` prefix, so they are not stripped.
    if (header === 'rename from') add(name, 'delete')
    else if (header === 'rename to' || header === 'copy to') add(name, 'write')
    // Empty and binary files are named only in this header; names with spaces are read from the other headers.
    else if (header === 'diff --git') add(strip(/^\S+ (\S+)$/.exec(rest)?.[1] ?? ''), 'write')
    else if (header === '+++' && before !== undefined)
      add(strip(name === '/dev/null' ? before : name), name === '/dev/null' ? 'delete' : 'write')
    before = header === '---' ? name : undefined
  }
  return [...writes.values()]
}

/** Reads a file name: a tab separates it from a time, and a quoted name has C escapes. */
function nameIn(text: string): string {
  const name = text.replace(/[\t\r].*$/, '').trimEnd()
  if (!name.startsWith('"')) return name
  const bytes = name
    .slice(1, name.lastIndexOf('"'))
    .replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\\(["\\])/g, '$1')
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Removes the first folders of a name; undefined when it has no more than those. */
function withoutFolders(name: string, count: number): string | undefined {
  const steps = name.split(/\/+/)
  return steps.length > count ? steps.slice(count).join('/') : undefined
}
