/** Whoever asks while it runs needs a run that begins later; all who wait share the next one. */
export function shareRuns<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | undefined
  return () => {
    next ??= running.then(() => {
      next = undefined
      const current = run()
      running = current.catch(() => {})
      return current
    })
    return next
  }
}
