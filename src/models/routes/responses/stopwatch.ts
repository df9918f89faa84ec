import { performance } from 'node:perf_hooks'

/** Measures a response, for providers that report no durations. */
export interface Stopwatch {
  /** Notes that the first part has arrived. */
  onFirstPart(): void
  totalMs(): number
  firstPartMs(): number
}

export function startStopwatch(): Stopwatch {
  const startedAtMs = performance.now()
  let firstPartAtMs = startedAtMs
  return {
    onFirstPart() {
      firstPartAtMs = performance.now()
    },
    totalMs: () => performance.now() - startedAtMs,
    firstPartMs: () => firstPartAtMs - startedAtMs,
  }
}
