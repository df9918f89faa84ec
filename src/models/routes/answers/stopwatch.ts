import { performance } from 'node:perf_hooks'

/** How long an answer took, for those who are told so by nobody else. */
export interface Stopwatch {
  /** The first part is there. */
  begun(): void
  totalMs(): number
  firstPartMs(): number
}

export function startStopwatch(): Stopwatch {
  const startedMs = performance.now()
  let begunMs = startedMs
  return {
    begun() {
      begunMs = performance.now()
    },
    totalMs: () => performance.now() - startedMs,
    firstPartMs: () => begunMs - startedMs,
  }
}
