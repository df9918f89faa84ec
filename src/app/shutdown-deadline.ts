/**
 * The milliseconds left until the process has to be closed. The deadline is set by the first call, and all parts share it: parts that
 * close one after another take no longer together than one may take alone.
 */
export function createShutdownDeadline(totalMs: number): () => number {
  let since: number | undefined
  return () => {
    since ??= performance.now()
    return Math.max(0, totalMs - (performance.now() - since))
  }
}

const maxDrainMs = 3000

/** How long a process that leaves its port to others serves the requests on its open connections. */
export function drainTimeMs(graceMs: number): number {
  return Math.min(maxDrainMs, graceMs / 3)
}
