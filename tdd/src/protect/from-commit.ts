import { runGit } from '../git/run-git.ts'
import { below } from '../project/paths.ts'
import { headRecordSize } from './protected-files.ts'

const gitTimeoutMs = 2000

/** When a command began: the time, and how long git's record of HEAD was. */
export interface CommandStart {
  readonly startedAtMs: number
  readonly headRecordSize: number
}

/**
 * Whether a file has the content of the commit that a checkout, a merge or a pull moved HEAD to. A commit that the command made
 * itself does not count: it would be a way to change the file.
 */
export function cameWithCommit(root: string, path: string, start: CommandStart): boolean {
  const inProject = below(root, path)
  if (inProject === undefined || headRecordSize(root) <= start.headRecordSize) return false
  const committed =
    runGit(root, ['log', '-1', '--format=%ct', 'HEAD', '--', inProject], gitTimeoutMs)?.trim() ?? ''
  if (committed === '' || Number(committed) >= Math.floor(start.startedAtMs / 1000)) return false
  const [inCommit, present] = [
    runGit(root, ['rev-parse', '--verify', '--quiet', `HEAD:./${inProject}`], gitTimeoutMs),
    runGit(root, ['hash-object', '--', inProject], gitTimeoutMs),
  ]
  return inCommit === present
}
