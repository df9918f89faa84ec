/** Commits everything that happened so far, with the end if there is one. Resolves when the commit is on disk. */
export type SerialCommit<End> = (end?: End) => Promise<void>

/**
 * Serialises the commits of one execution: a retried older commit must never land after a newer one. Requests made while a commit is
 * being written share the next commit. After a failed commit, all later ones fail too.
 */
export function serialiseCommits<End>(write: (end: End | undefined) => Promise<void>): SerialCommit<End> {
  let waiting: { end: End | undefined } | undefined
  let last: Promise<void> = Promise.resolve()

  async function writeAfter(before: Promise<void>, taken: { end: End | undefined }): Promise<void> {
    // Rejects when the previous commit failed: a commit must not follow a missing one.
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
