/** Commits everything that happened so far, with the last change if there is one. Resolves when the commit is on disk. */
type SerialCommit<Last> = (last?: Last) => Promise<void>

/**
 * Serialises the commits of one execution: a retried older commit must never land after a newer one. Requests made while a commit is
 * being written share the next commit. After a failed commit, all later ones fail too.
 */
export function serialiseCommits<Last>(write: (last: Last | undefined) => Promise<void>): SerialCommit<Last> {
  let waiting: { last: Last | undefined } | undefined
  let written: Promise<void> = Promise.resolve()

  async function writeAfter(before: Promise<void>, taken: { last: Last | undefined }): Promise<void> {
    // Rejects when the previous commit failed: a commit must not follow a missing one.
    await before
    waiting = undefined
    await write(taken.last)
  }

  return (last) => {
    if (waiting === undefined) {
      waiting = { last }
      written = writeAfter(written, waiting)
    } else {
      waiting.last ??= last
    }
    return written
  }
}
