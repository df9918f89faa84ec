import type { Commit } from '../store/commit.ts'

/** What a commit carries besides the numbers of the moment it is written. */
type Waiting = Pick<Commit, 'steps' | 'end'>

/** Takes what is to be on disk, and resolves when it is. */
export type CommitLine = (steps: Commit['steps'], more?: Partial<Waiting>) => Promise<void>

/**
 * Commits of one execution, one after the other: while the database is away a commit is tried again, and one that came later must not
 * be overtaken by it. What comes meanwhile goes out together.
 */
export function createCommitLine(write: (waiting: Waiting) => Promise<void>): CommitLine {
  let waiting: Waiting | undefined
  let last: Promise<void> = Promise.resolve()

  async function writeAfter(before: Promise<void>): Promise<void> {
    // Its own caller knows when it failed.
    await before.catch(() => {})
    const taken = waiting
    waiting = undefined
    if (taken !== undefined) await write(taken)
  }

  return (steps, { end } = {}) => {
    if (waiting === undefined) {
      waiting = { steps, end }
      last = writeAfter(last)
    } else {
      waiting = {
        steps: [...waiting.steps, ...steps],
        end: end ?? waiting.end,
      }
    }
    return last
  }
}
