import type { runGit } from '../git/run-git.ts'
import { below } from '../project/paths.ts'
import { headRecordSize } from './protected-files.ts'

const gitTimeoutMs = 2000

/** Starting git needs a module that takes milliseconds to load; it is loaded when a file has changed. */
export type LoadGit = () => typeof runGit

/** When a command began: the time, and how long git's record of HEAD was. */
export interface CommandStart {
  readonly startedAtMs: number
  readonly headRecordSize: number
}

/**
 * Whether a file has the content of the commit that a checkout, a merge or a pull moved HEAD to. A commit that the command made
 * itself does not count: it would be a way to change the file.
 */
export function cameWithCommit(root: string, path: string, start: CommandStart, loadGit: LoadGit): boolean {
  const inProject = below(root, path)
  if (inProject === undefined || headRecordSize(root) <= start.headRecordSize) return false
  const git = loadGit()
  const committed =
    git(root, ['log', '-1', '--format=%ct', 'HEAD', '--', inProject], gitTimeoutMs)?.trim() ?? ''
  if (committed === '' || Number(committed) >= Math.floor(start.startedAtMs / 1000)) return false
  const [inCommit, present] = [
    git(root, ['rev-parse', '--verify', '--quiet', `HEAD:./${inProject}`], gitTimeoutMs),
    git(root, ['hash-object', '--', inProject], gitTimeoutMs),
  ]
  return inCommit === present
}
