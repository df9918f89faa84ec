import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { absolutePath, parentOf } from '../project/paths.ts'

/** The folder with the git index of a checkout: `.git` here or above, or the target of the `.git` file of a worktree. */
export function gitFolder(root: string): string | undefined {
  const entry = `${root === '/' ? '' : root}/.git`
  const stat = statSync(entry, { throwIfNoEntry: false })
  if (stat === undefined) return root === parentOf(root) ? undefined : gitFolder(parentOf(root))
  if (stat.isDirectory()) return entry
  const pointed = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(entry, 'utf8'))?.[1]
  return pointed === undefined ? undefined : absolutePath(pointed, root)
}

/** The number of files git tracks, read from the header of its index: without a process, at any size of the repository. */
export function countTrackedFiles(root: string): number {
  const folder = gitFolder(root)
  if (folder === undefined) return 0
  let index: number
  try {
    index = openSync(`${folder}/index`, 'r')
  } catch {
    return 0
  }
  try {
    const header = Buffer.alloc(12)
    const known = readSync(index, header, 0, 12, 0) === 12 && header.toString('latin1', 0, 4) === 'DIRC'
    return known ? header.readUInt32BE(8) : 0
  } finally {
    closeSync(index)
  }
}
