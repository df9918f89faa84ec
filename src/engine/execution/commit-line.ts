/** Has everything written that has happened so far, with the end if there is one. Resolves when it is on disk. */
export type CommitLine<End> = (end?: End) => Promise<void>

/**
 * Commits of one execution, one after the other: while the database is away a commit is tried again, and one that came later must not
 * be overtaken by it. What comes meanwhile goes out together. After one that failed there is no other.
 */
export function createCommitLine<End>(write: (end: End | undefined) => Promise<void>): CommitLine<End> {
  let waiting: { end: End | undefined } | undefined
  let last: Promise<void> = Promise.resolve()

  async function writeAfter(before: Promise<void>, taken: { end: End | undefined }): Promise<void> {
    // Should it have failed, so does this: nothing may be stored after what is missing.
    await before
    waiting = undefined
    await write(taken.end)
  }

  return (end) => {
    if (waiting === undefined) {
      waiting = { end }
      last = writeAfter(last, waiting)
    } else {
      waiting.end ??= end
    }
    return last
  }
}
