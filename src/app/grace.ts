/**
 * The time all parts of a process share when it is asked to stop. The clock starts with the first question, so that
 * several parts closing one after the other take no longer than one.
 */
export function createGrace(totalMs: number): () => number {
  let since: number | undefined
  return () => {
    since ??= performance.now()
    return Math.max(0, totalMs - (performance.now() - since))
  }
}
